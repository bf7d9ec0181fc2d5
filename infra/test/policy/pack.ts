import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { AnalyzerClient } from '@pulumi/pulumi/proto/analyzer_grpc_pb';
import * as pb from '@pulumi/pulumi/proto/analyzer_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { type JavaScriptValue, Struct } from 'google-protobuf/google/protobuf/struct_pb';
import type { Registration } from '../runtime/recorded';
import { plainObject, type Values } from '../runtime/values';

export const PACK = join(__dirname, '..', '..', 'policy');
const runtime = createRequire(__filename).resolve('@pulumi/pulumi/cmd/run-policy-pack');

export interface Violation { readonly policy: string; readonly message: string; readonly mandatory: boolean }
export interface PolicyAbout { readonly name: string; readonly why: string }

/** The pack served by Pulumi's own policy runtime, asked over the official protocol as the engine asks it. */
export class RunningPack {
  private constructor(private readonly process: ChildProcess, private readonly client: AnalyzerClient) {}

  static async start(): Promise<RunningPack> {
    // The address of the engine is for logs only; nothing listens there.
    const child = spawn(process.execPath, [runtime, '127.0.0.1:1', '.'], { cwd: PACK, env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const port = await new Promise<string>((done, failed) => {
      child.stderr.on('data', chunk => { said += String(chunk); });
      child.stdout.on('data', chunk => { const found = /^\d+$/m.exec(said += String(chunk)); if (found) done(found[0]); });
      child.on('exit', code => { failed(new Error(`the policy pack ended with ${code}: ${said}`)); });
    });
    return new RunningPack(child, new AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure()));
  }

  stop(): void { this.client.close(); this.process.removeAllListeners('exit'); this.process.kill(); }

  async policies(): Promise<PolicyAbout[]> {
    const info = await new Promise<pb.AnalyzerInfo>((done, failed) => { this.client.getAnalyzerInfo(new Empty(), (error, answer) => { if (error) failed(error); else done(answer); }); });
    return info.getPoliciesList().map(one => ({ name: one.getName(), why: one.getDescription() }));
  }

  /** As with `--policy-pack-config`. */
  configure(config: Readonly<Record<string, { readonly level?: 'advisory' | 'mandatory' | 'disabled'; readonly settings?: Values }>>): Promise<void> {
    const request = new pb.ConfigureAnalyzerRequest();
    for (const [policy, { level = 'mandatory', settings = {} }] of Object.entries(config)) {
      const one = new pb.PolicyConfig();
      one.setEnforcementlevel({ advisory: pb.EnforcementLevel.ADVISORY, mandatory: pb.EnforcementLevel.MANDATORY, disabled: pb.EnforcementLevel.DISABLED }[level]);
      one.setProperties(struct(settings));
      request.getPolicyconfigMap().set(policy, one);
    }
    return new Promise((done, failed) => { this.client.configure(request, error => { if (error) failed(error); else done(); }); });
  }

  /** As before an update: each resource with its inputs. */
  async resources(registrations: readonly Registration[]): Promise<Violation[]> {
    return (await Promise.all(registrations.map(one => this.resource(one)))).flat();
  }

  /** As after an update: all resources together, with what their provider answered. */
  together(registrations: readonly Registration[], answers: (one: Registration) => Values): Promise<Violation[]> {
    const request = new pb.AnalyzeStackRequest();
    request.setResourcesList(registrations.map(one => {
      const resource = new pb.AnalyzerResource();
      resource.setType(one.type); resource.setUrn(one.urn); resource.setName(one.name); resource.setParent(one.parent);
      resource.setProperties(struct(answers(one))); resource.setOptions(options(one));
      return resource;
    }));
    return new Promise((done, failed) => { this.client.analyzeStack(request, (error, answer) => { if (error) failed(error); else done(violations(answer)); }); });
  }

  private resource(one: Registration): Promise<Violation[]> {
    const request = new pb.AnalyzeRequest();
    request.setType(one.type); request.setUrn(one.urn); request.setName(one.name);
    request.setProperties(struct(plainObject(one.inputs))); request.setOptions(options(one));
    return new Promise((done, failed) => { this.client.analyze(request, (error, answer) => { if (error) failed(error); else done(violations(answer)); }); });
  }
}

const struct = (values: Values): Struct => Struct.fromJavaScript(values as Record<string, JavaScriptValue>);

function options({ protect, ignoreChanges, secretOutputs, parent }: Registration): pb.AnalyzerResourceOptions {
  const made = new pb.AnalyzerResourceOptions();
  made.setProtect(protect); made.setIgnorechangesList([...ignoreChanges]); made.setAdditionalsecretoutputsList([...secretOutputs]); made.setParent(parent);
  return made;
}

const violations = (answer: pb.AnalyzeResponse): Violation[] => answer.getDiagnosticsList()
  .map(one => ({ policy: one.getPolicyname(), message: one.getMessage(), mandatory: one.getEnforcementlevel() === pb.EnforcementLevel.MANDATORY }));
