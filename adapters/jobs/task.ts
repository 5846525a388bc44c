import type { z } from 'zod'

/** What a task is told of the job that it does. */
export interface JobAtWork {
  /** Aborts when the job's time is over, and when its worker stops or has lost touch with the database. */
  readonly signal: AbortSignal
  /** 1 for the first. */
  readonly attempt: number
}

/** One kind of job: what it is told, and what it does. */
export interface Task<Payload> {
  /** Parses what was stored. A payload that it refuses is not tried again. */
  readonly payload: z.ZodType<Payload>
  /** Resolves once the job is done, and rejects where it has to be tried again. It may be done more than once. */
  run(payload: Payload, job: JobAtWork): Promise<void>
}

/** Every task by its name. */
export type Tasks<Payloads> = { readonly [Name in keyof Payloads & string]: Task<Payloads[Name]> }
