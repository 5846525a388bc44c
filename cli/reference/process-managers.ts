import type { ProcessManager } from '../../application/processes/process-manager.ts'
import { processManagers } from '../../application/processes/process-managers.ts'
import { code, codes, page, table } from './markdown.ts'

/** Every process manager, as its declaration says. */
export function processManagersPage(): string {
  return page(
    '# Process managers',
    'Each finishes one chain of commands over several aggregates where the process that began it died. While a step is unfinished, it is a row of the read model [`unfinished`](read-models.md). A worker looks for rows that are over two minutes old, longer than any request lives, every ten seconds; the only process of an instance finishes all of them before it listens, except those that are left to jobs. What follows from which act, and within what time: [Durable effects](../durable-effects.md).',
    table(
      ['process manager', 'unfinished while', 'begins with', 'ends with', 'what finishing does'],
      processManagers.map((manager) => [
        code(manager.name),
        manager.unfinished,
        beginning(manager),
        codes(manager.endsWith),
        finishing(manager),
      ]),
    ),
    'Each is one value in `application/processes/managers`; `application/processes/process-managers.ts` lists them.',
  )
}

function beginning({ beginsWith, mayBeginWithAny }: ProcessManager): string {
  return [...(mayBeginWithAny ? ['an event of any type'] : []), ...beginsWith.map(code)].join(', ')
}

function finishing({ finishing: does, isLeftToJobs }: ProcessManager): string {
  return isLeftToJobs ? `${does} Left to jobs.` : does
}
