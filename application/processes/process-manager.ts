import type { AnyEvent } from '../../domain/aggregates.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { finishingContext } from '../commands/following-context.ts'
import type { AnonymisingLimits } from '../identity/erasure/anonymise-messages.ts'
import type { RecordedEvent } from '../ports/event-store.ts'
import type { JobPayloads } from '../ports/jobs.ts'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.ts'
import type { FinishingNeeds } from './finishing-needs.ts'

/** Longer than any request lives: the process that began such a step no longer works on it. */
export const requestLife_ms = 120_000

const unlimited: AnonymisingLimits = { signal: new AbortController().signal, requestLife_ms }

/** The jobs that finish steps. */
export type StepTasks = Pick<JobPayloads, 'finish_step' | 'finish_authored_messages'>

/** What can end steps, besides the key of one. A step names what it depends on when it begins. */
export interface DependsOn {
  readonly guildId?: string
  readonly accountId?: string
  readonly inviteCode?: string
  /** The previous tag of the account, or the hash of its previous address with its id. */
  readonly replaced?: string
}

/** A step that an event begins. Its key names it among the steps of its process manager. */
export interface Begun extends DependsOn {
  readonly key: string
  /** What finishing it needs: the data of the event, or a part of what the event says. Kept with the step. */
  readonly data: object
}

/** The steps that an event ends: the one with this key, or all that depend on all of what is given. */
export type Ended = { readonly key: string } | DependsOn

type Recorded<Type extends AnyEvent['type']> = RecordedEvent<Extract<AnyEvent, { readonly type: Type }>>

/** By the type of the event: the step that it begins, if it begins one. */
type Begins = {
  readonly [Type in AnyEvent['type']]?: (event: Recorded<Type>) => Begun | undefined
} & {
  /** The step that an event begins whatever its type, for what its metadata say. */
  readonly anyEvent?: (event: RecordedEvent) => Begun | undefined
}

/** By the type of the event: the steps that it ends. */
type Ends = { readonly [Type in AnyEvent['type']]?: (event: Recorded<Type>) => readonly Ended[] }

/** The data of the steps that some events begin. */
type DataOf<Given extends Begins> = NonNullable<ReturnType<NonNullable<Given[keyof Given & keyof Begins]>>>['data']

interface Declaration<Given extends Begins> {
  /** Kept with steps, jobs and events: never renamed while any may be waiting. */
  readonly name: string
  /** When a step is unfinished, as a sentence for the reference page. */
  readonly unfinished: string
  /** What finishing it does, as a sentence for the reference page. */
  readonly finishing: string
  readonly begins: Given
  readonly ends: Ends
  /**
   * Takes the steps that are left. Gives `later` if it goes on at the next try, and rejects if it can't be finished yet. Safe to
   * repeat, by any number of processes at once.
   */
  readonly finish: (
    ports: FinishingNeeds,
    step: { readonly key: string; readonly data: DataOf<Given> },
    context: CommandContext,
    limits: AnonymisingLimits,
  ) => Promise<unknown>
  /**
   * `finish_step` by default. A process manager that is added has a task of its own: a worker of an older version, which may still
   * run, takes only jobs whose task it knows.
   */
  readonly task?: keyof StepTasks
  /** No request that is repeated meets its steps, and they may take long: a start leaves them to jobs. */
  readonly isLeftToJobs?: true
}

/** Finishes one chain of commands over several aggregates where the process that began it died. */
export interface ProcessManager {
  readonly name: string
  readonly unfinished: string
  readonly finishing: string
  readonly task: keyof StepTasks
  readonly isLeftToJobs: boolean
  /** The types of the events that begin and end its steps. */
  readonly beginsWith: readonly string[]
  readonly endsWith: readonly string[]
  /** Whether events of any type may begin a step, by their metadata. */
  readonly mayBeginWithAny: boolean
  /** The step that an event begins; undefined for none. */
  begun(event: RecordedEvent): Begun | undefined
  /** The steps that an event ends. */
  ended(event: RecordedEvent): readonly Ended[]
  /**
   * Finishes one of its steps, and resolves once the read models hold it; false if it goes on later. The commands derive from the
   * event that began the step. Rejects if the step can't be finished yet, and between the batches of a long one once `signal` aborts.
   */
  finish(
    ports: FinishingNeeds,
    step: UnfinishedStep,
    now: Timestamp,
    limits?: Partial<AnonymisingLimits>,
  ): Promise<boolean>
}

/**
 * Declares a process manager: which events begin and end its steps, and what finishes them. The read model `unfinished`, the jobs and
 * the reference page follow from the declaration.
 */
export function processManager<const Given extends Begins>(declaration: Declaration<Given>): ProcessManager {
  const { name, unfinished, finishing, begins, ends, finish, task = 'finish_step', isLeftToJobs = false } = declaration
  const { anyEvent, ...ofTypes } = begins
  const beginning = byType<Begun | undefined>(ofTypes)
  const ending = byType<readonly Ended[]>(ends)
  return {
    name,
    unfinished,
    finishing,
    task,
    isLeftToJobs,
    beginsWith: [...beginning.keys()],
    endsWith: [...ending.keys()],
    mayBeginWithAny: anyEvent !== undefined,
    begun: (event) => anyEvent?.(event) ?? beginning.get(event.type)?.(event),
    ended: (event) => ending.get(event.type)?.(event) ?? [],
    async finish(ports, step, now, limits = {}) {
      const context = finishingContext(step, name, now)
      // What the read model gives back is what `begins` gave it under this name; the compiler can't see that.
      const data = step.data as DataOf<Given>
      const outcome = await finish(ports, { key: step.key, data }, context, { ...unlimited, ...limits })
      await ports.readModels.reached(context.written)
      return outcome !== 'later'
    },
  }
}

type Handler<Result> = (event: RecordedEvent) => Result

function byType<Result>(handlers: object): ReadonlyMap<string, Handler<Result>> {
  return new Map<string, Handler<Result>>(Object.entries(handlers))
}
