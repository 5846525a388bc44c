import type { z } from 'zod'

/** What a task learns about its job. */
export interface JobAtWork {
  /** Aborts when the job's time is over, and when its worker stops or has lost contact with the database. */
  readonly signal: AbortSignal
  /** 1 for the first. */
  readonly attempt: number
}

/** One kind of job: its payload and its work. */
export interface Task<Payload> {
  /** Parses the stored payload. A payload that it refuses is not retried. */
  readonly payload: z.ZodType<Payload>
  /** Resolves once the job is done, and rejects if it has to be retried. It may run more than once. */
  run(payload: Payload, job: JobAtWork): Promise<void>
}

/** Every task by its name. */
export type Tasks<Payloads> = { readonly [Name in keyof Payloads & string]: Task<Payloads[Name]> }
