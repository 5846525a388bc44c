import pg from 'pg'
import { Unavailable } from '../../application/failures/unavailable.ts'

/** Postgres can't be reached, or gave no answer in time. It is then unknown whether a writing statement took effect. */
export class PostgresUnavailable extends Unavailable {
  override readonly name = 'PostgresUnavailable'
  override readonly part = 'postgres'
}

/** SQLSTATEs of a server that is stopping, starting, or was told to cancel a statement (appendix A of its manual). */
const sqlStates: ReadonlySet<string> = new Set(['25P03', '57P01', '57P02', '57P03', '57P05', '57014'])
/**
 * Classes of SQLSTATEs: no connection; and no disk (53100), memory (53200), connections (53300) or other bounded resource
 * (53400) left.
 */
const sqlStateClasses: ReadonlySet<string> = new Set(['08', '53'])

/** System codes for a connection that can't be made or has broken. ENOENT: a unix socket that does not exist. */
const systemCodes: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** The client's own messages for the same: it gives these errors no code. */
const clientMessages = [
  /^Connection terminated/,
  /^Query read timeout$/,
  /^timeout expired$/,
  /^timeout exceeded when trying to connect$/,
  /is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
]

/**
 * The error to reject with after a failed statement: PostgresUnavailable, with the error as its cause, if Postgres is
 * unavailable; otherwise the error itself.
 */
export function orPostgresUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable || !saysUnavailable(error)) return error
  return new PostgresUnavailable(`Postgres can't be had right now: ${error.message || codeOf(error)}`, { cause: error })
}

function saysUnavailable(error: Error): boolean {
  const code = codeOf(error)
  if (error instanceof pg.DatabaseError) return sqlStates.has(code) || sqlStateClasses.has(code.slice(0, 2))
  return systemCodes.has(code) || clientMessages.some((message) => message.test(error.message))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
