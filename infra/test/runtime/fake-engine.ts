import * as grpc from '@grpc/grpc-js';
import { EngineService } from '@pulumi/pulumi/proto/engine_grpc_pb';
import * as enginepb from '@pulumi/pulumi/proto/engine_pb';
import { ResourceMonitorService } from '@pulumi/pulumi/proto/resource_grpc_pb';
import * as resourcepb from '@pulumi/pulumi/proto/resource_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { type JavaScriptValue, Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { check } from '../schema/check';
import { fakeResource } from '../support/fake-azure';
import { refusalOf, type World } from './azure-refusals';
import type { Log, Recorded, Registration, StackName } from './recorded';
import { plainObject, type Values } from './values';

type Answers = Readonly<Record<string, (request: never) => unknown>>;
class Refused extends Error { constructor(readonly code: grpc.status, message: string) { super(message); } }

export interface EngineOptions {
  readonly preview: boolean;
  /** What to do when a resource is asked for whose URN holds this text: how an interruption is made. */
  readonly cutAt?: { readonly urn: string; readonly cut: () => void };
  /** What the Azure behind it holds and refuses; left out, it is empty and its owner asks. */
  readonly world?: World;
  /** What Azure answers to a question of the program; left out, nothing of what it asks for is there. */
  readonly answer?: (question: string, about: Values) => Values;
}

const SEVERITIES = ['debug', 'info', 'warning', 'error'] as const;
const struct = (values: Values): Struct => Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
const values = (from: Struct | undefined): Values => from?.toJavaScript() ?? {};

/**
 * Pulumi's engine as the language runtime sees it: the official protocol over a real socket, an Azure that refuses what the real one was seen
 * to refuse (azure-refusals.ts) and what the provider's own types do not know, and a memory of what was registered. It creates nothing.
 */
export class FakeEngine {
  readonly registrations: Registration[] = [];
  readonly logs: Log[] = [];
  readonly calls = new Map<string, number>();
  private readonly outputs = new Map<string, Values>();
  private readonly server = new grpc.Server({ 'grpc.max_receive_message_length': 400 * 1024 * 1024 });
  private root = '';

  constructor(private readonly stack: StackName, private readonly options: EngineOptions) {
    this.server.addService(ResourceMonitorService, answers(ResourceMonitorService, this.count, {
      supportsFeature: () => { const answer = new resourcepb.SupportsFeatureResponse(); answer.setHassupport(true); return answer; },
      registerResource: (request: resourcepb.RegisterResourceRequest) => this.register(request),
      registerResourceOutputs: (request: resourcepb.RegisterResourceOutputsRequest) => { this.outputs.set(request.getUrn(), values(request.getOutputs())); return new Empty(); },
      invoke: (request: resourcepb.ResourceInvokeRequest) => this.invoke(request),
      signalAndWaitForShutdown: () => new Empty(),
    }));
    this.server.addService(EngineService, answers(EngineService, this.count, {
      log: (request: enginepb.LogRequest) => { this.logs.push({ severity: SEVERITIES[request.getSeverity()] ?? 'error', message: request.getMessage() }); return new Empty(); },
      getRootResource: () => { const answer = new enginepb.GetRootResourceResponse(); answer.setUrn(this.root); return answer; },
      setRootResource: (request: enginepb.SetRootResourceRequest) => { this.root = request.getUrn(); return new enginepb.SetRootResourceResponse(); },
    }));
  }

  /** Where it listens, on loopback. */
  async listen(): Promise<string> {
    const port = await new Promise<number>((done, failed) =>
      this.server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => { if (error) failed(error); else done(bound); }));
    return `127.0.0.1:${port}`;
  }

  close(): void { this.server.forceShutdown(); }

  recorded(): Omit<Recorded, 'exitCode' | 'text'> {
    return { registrations: this.registrations, logs: this.logs.filter(log => log.severity !== 'debug'), outputs: this.outputs.get(this.root) ?? {}, calls: this.calls };
  }

  private readonly count = (name: string): void => { this.calls.set(name, (this.calls.get(name) ?? 0) + 1); };

  private invoke(request: resourcepb.ResourceInvokeRequest): resourcepb.ResourceInvokeResponse {
    this.count(`invoke ${request.getTok()}`);
    const answer = new resourcepb.ResourceInvokeResponse();
    try {
      answer.setReturn(struct((this.options.answer ?? NOT_THERE)(request.getTok(), values(request.getArgs()))));
    } catch (error) {
      throw new Refused(grpc.status.UNKNOWN, (error as Error).message);
    }
    return answer;
  }

  private register(request: resourcepb.RegisterResourceRequest): resourcepb.RegisterResourceResponse {
    const type = request.getType(), name = request.getName(), urn = this.urn(type, name, request.getParent());
    if (this.options.cutAt && urn.includes(this.options.cutAt.urn)) this.options.cutAt.cut();
    if (this.registrations.some(other => other.urn === urn)) throw new Refused(grpc.status.ALREADY_EXISTS, `Duplicate resource URN '${urn}'`);
    const registration = registrationOf(request, urn);
    const strangers = [...registration.dependencies, registration.parent].filter(other => other !== '' && !this.registrations.some(({ urn }) => urn === other));
    if (strangers.length > 0) throw new Refused(grpc.status.FAILED_PRECONDITION, `${urn} depends on ${strangers.join(', ')}, never registered`);
    const problem = this.options.preview ? undefined : check([registration])[0] ?? refusalOf(registration, this.options.world ?? {}, this.registrations);
    if (problem) throw new Refused(grpc.status.UNKNOWN, problem);
    this.registrations.push(registration);

    const answer = new resourcepb.RegisterResourceResponse(), inputs = plainObject(registration.inputs);
    answer.setUrn(urn);
    answer.setStable(false);
    const azure = this.options.preview ? { id: '', state: inputs } : fakeResource({ type, name, inputs });
    if (registration.custom) answer.setId(azure.id);
    answer.setObject(struct(azure.state));
    return answer;
  }

  private urn(type: string, name: string, parent: string): string {
    const parentType = parent.split('::')[2] ?? '', above = parentType === '' || parentType === 'pulumi:pulumi:Stack' ? '' : `${parentType}$`;
    return `urn:pulumi:${this.stack.stack}::${this.stack.project}::${above}${type}::${name}`;
  }
}

/** As the provider says it of what Azure does not have. */
const NOT_THERE = (question: string): Values => { throw new Error(`${question}: Status=404 Code="ResourceNotFound" Message="The Resource was not found."`); };

function registrationOf(request: resourcepb.RegisterResourceRequest, urn: string): Registration {
  return {
    urn, type: request.getType(), name: request.getName(), parent: request.getParent(), custom: request.getCustom(), inputs: values(request.getObject()),
    version: request.getVersion(), provider: request.getProvider(), protect: request.getProtect() ?? false, deleteBeforeReplace: request.getDeletebeforereplace(),
    dependencies: [...request.getDependenciesList()].sort(), ignoreChanges: request.getIgnorechangesList(), secretOutputs: request.getAdditionalsecretoutputsList(),
    replaceOnChanges: request.getReplaceonchangesList(), acceptsSecrets: request.getAcceptsecrets(), createTimeout: request.getCustomtimeouts()?.getCreate() ?? '',
  };
}

/** Every method of the service: ours, or "unimplemented", which the runtime must survive. */
function answers(service: object, count: (name: string) => void, ours: Answers): grpc.UntypedServiceImplementation {
  return Object.fromEntries(Object.keys(service).map(method => [method, (call: grpc.ServerUnaryCall<unknown, unknown>, back: grpc.sendUnaryData<unknown>) => {
    const answer = ours[method];
    count(method);
    if (!answer) { back({ code: grpc.status.UNIMPLEMENTED, message: method }); return; }
    try { back(null, answer(call.request as never)); } catch (error) {
      back(error instanceof Refused ? { code: error.code, message: error.message } : { code: grpc.status.INTERNAL, message: String(error) });
    }
  }]));
}
