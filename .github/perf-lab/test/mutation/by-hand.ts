/** A change that somebody thought of and no rule makes: what is looser, but still looks right. `file` and `test` from the root of the repository. */
export interface ByHand { readonly file: string; readonly from: string; readonly to: string; readonly test: string; readonly name: string }

const SRC = '.github/perf-lab/src', TEST = '.github/perf-lab/test', FLOW = 'tests/workflows';
const of = (file: string, from: string, to: string, test: string, name: string): ByHand => ({ file, from, to, test, name });

/** The first nine lived until 2026-11-25. `name`: of the test that catches it, as vitest's `-t` takes it. */
export const BY_HAND: readonly ByHand[] = [
  of(`${SRC}/artifact/trusted-file.ts`, 'if (found !== digest)', 'if (!found.startsWith(digest))', `${TEST}/exact.test.ts`, 'is_refused_by'),
  of(`${SRC}/github/bounded-fetch.ts`, 'if (url.origin !== bounds.origin)', 'if (!url.origin.startsWith(bounds.origin))', `${TEST}/exact.test.ts`, 'that begins with ours_gets_no_token'),
  of(`${SRC}/github/bounded-fetch.ts`, 'if (url.origin !== bounds.origin)', 'if (url.host !== new URL(bounds.origin).host)', `${TEST}/exact.test.ts`, 'of_our_host_without_TLS_gets_no_token'),
  of(`${SRC}/gate/comment.ts`, '!data.issue_url.endsWith(`/issues/${event.pullRequest}`)', '!data.issue_url.includes(`/issues/${event.pullRequest}`)', `${TEST}/exact.test.ts`, 'a_comment_of_another_conversation_is_another_comment'),
  of(`${SRC}/gate/event.ts`, 'comment.user.type !== \'User\'', 'comment.user.type === \'Bot\'', `${TEST}/exact.test.ts`, 'of_an_account_of_type_Organization_is_ignored'),
  of(`${SRC}/gate/event.ts`, 'const MAX_BYTES = 8 << 20;', 'const MAX_BYTES = 80 << 20;', `${TEST}/exact.test.ts`, 'of_more_than_8_MiB_is_refused_unread'),
  of(`${SRC}/gate/acknowledge.ts`, 'if (head.sha !== last.state.head)', 'if (head.sha.slice(0, 12) !== last.state.head.slice(0, 12))', `${TEST}/exact.test.ts`, 'of_a_commit_with_the_same_twelve_digits_is_refused'),
  of(`${SRC}/gate/acknowledge.ts`, '.replace(/[^A-Za-z0-9_-]/g, \'\')', '', `${TEST}/exact.test.ts`, 'by_a_name_that_is_Markdown_shows_its_letters_alone'),
  of(`${SRC}/trend/start.ts`, 'if (env[\'GITHUB_REF\'] !== `refs/heads/${branch}`)', 'if (env[\'GITHUB_REF\']?.endsWith(branch) !== true)', `${TEST}/exact.test.ts`, 'a_trend_is_of_the_default_branch'),

  of(`${SRC}/artifact/download.ts`, 'if (wanted.id === null) return null;', 'if (wanted.id === null) wanted = { ...wanted, id: 1001 };', `${TEST}/download.test.ts`, 'is_nobodys_without_an_id_whatever_its_name'),
  of(`${SRC}/artifact/download.ts`, 'if (wanted.digest === null) throw', 'if (false) throw', `${TEST}/download.test.ts`, 'is_refused_without_a_digest'),
  of(`${SRC}/publish/lost.ts`, 'env[\'PERF_LAB_PLANNED\'] === \'planned\' && !isPlanThere(env)', 'false', `${TEST}/publish-lost-files.test.ts`, 'are_named_and_nothing_is_judged'),
  of(`${SRC}/publish/find-ending.ts`, 'if (env[\'PERF_LAB_LAST\'] !== \'true\') throw error;', 'throw error;', `${TEST}/publish-lost-files.test.ts`, 'the_last_publisher_says_that_it_could_not_fetch'),
  of(`${SRC}/publish.ts`, 'if (endOf(found, at) === null) comment =', 'comment =', `${TEST}/publish-last-word.test.ts`, 'is_not_taken_off_again_by_the_same_attempt'),
  of(`${SRC}/thread/living.ts`, 'state.attempt === at.runAttempt && STAGES', 'STAGES', `${TEST}/progress.test.ts`, 'begins_anew_in_another_attempt'),
  of(`${SRC}/gate/pull-request.ts`, 'last.after === headSha &&', '', `${TEST}/gate-branch-moved.test.ts`, 'that_the_list_does_not_know_yet_is_refused'),
  of(`${SRC}/gate/pull-request.ts`, 'if (isFork) return false;', '', `${TEST}/gate-branch-moved.test.ts`, 'to_a_fork_is_refused_with_a_short_commit'),
  of(`${SRC}/gate/pull-request.ts`, ', \'automatic_base_change_succeeded\'', '', `${TEST}/gate-branch-moved.test.ts`, 'automatic_base_change_succeeded'),
  of(`${SRC}/gate/limits.ts`, 'const again = at.runAttempt - 1;', 'const again = 0;', `${TEST}/gate-share.test.ts`, 'holds_this_request_as_often_as_it_was_run'),
  of(`${SRC}/gate/limits.ts`, '(own === null || comment.id < own.id)', 'true', `${TEST}/gate-share.test.ts`, 'is_no_larger_for_fifteen_comments'),
  of(`${SRC}/gate/dead.ts`, '?.isUnderWay !== false) continue;', '?.isUnderWay === true) continue;', `${TEST}/gate-dead.test.ts`, 'of_another_workflow_is_left_alone'),
  of(`${SRC}/github/bounded-fetch.ts`, 'url.pathname.startsWith(`${renamedTo}/`)', 'url.pathname.startsWith(renamedTo)', `${TEST}/long-lists-and-renames.test.ts`, 'is_not_followed_of another id'),
  of(`${SRC}/github/bounded-fetch.ts`, 'url.origin === origin && url.username', 'url.username', `${TEST}/long-lists-and-renames.test.ts`, 'is_not_followed_on another host'),
  of(`${SRC}/github/pages.ts`, 'return after ? { after } :', 'return', `${TEST}/long-lists-and-renames.test.ts`, 'are_read_to_their_end_by_cursor'),
  of(`${SRC}/request/request.ts`, 'text.padEnd(Math.ceil(text.length / 3) * 3)', 'text', `${TEST}/process.test.ts`, 'is_said_in_letters_that_need_no_padding'),
  of('.github/workflows/benchmark-machine.yml', '%s  in/bases.tar\\n', '', `${FLOW}/rules/rules.test.ts`, 'no download is believed for its name'),
  of('.github/workflows/benchmark-run.yml', '          problems-digest: ${{ needs.plan.outputs.digest }}\n', '', `${FLOW}/rules/rules.test.ts`, 'no download is believed for its name'),
  of('.github/workflows/benchmark-run.yml', '        continue-on-error: true\n        with: { name: tools, path: in }', '        with: { name: tools, path: in }', `${FLOW}/faults/random-faults.test.ts`, 'each of forty requests'),
  of('.github/workflows/benchmark-machine.yml', 'fromJSON(toJSON(jobs.measure)).result', 'jobs.measure.result', `${FLOW}/faults/random-faults.test.ts`, 'each of forty requests'),
];
