import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Outages } from '../../application/ports/outages.ts'
import { orPostgresUnavailable } from '../postgres/postgres-unavailable.ts'

/** Members whose values are never logged, in the first three levels of a logged object. */
const secretMembers = [
  'authorization',
  'body',
  'cookie',
  'date_of_birth',
  'email',
  'headers',
  'idempotency-key',
  'mfa_code',
  'password',
  'query',
  'secret',
  'ticket',
  'token',
]

/** Members of Postgres' errors that may hold values of rows, and so somebody's name. */
const rowMembers = ['err.detail', 'err.where', 'error.detail', 'error.where']

/**
 * Patterns of secrets inside other text. None matches the letter of an escape such as
 * as its start. Each run of letters is looked at once: a line may hold foreign text of any length.
 */
const secretTexts: readonly RegExp[] = [
  // Session tokens and Admin keys.
  /gl[da]_[A-Za-z0-9_]+/g,
  // JSON web tokens, including the sudo proof.
  /(?:(?<=\\[a-z])|(?<![A-Za-z0-9_\\-]))eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
  // Bot tokens, OAuth2 tokens and anything else of 32 bytes in base64url.
  /(?<!\\)(?:(?<!\d)\d{15,19}\.)?[A-Za-z0-9_-]{43,}/g,
  // E-mail addresses.
  /(?:(?<=\\[a-z])|(?<![A-Za-z0-9.!#$%&'*+/=?^_`{|}~\\-]))[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g,
  // Passwords in server URLs.
  /(?<=:\/\/[^\s:/@"]{1,64}:)[^\s@"/]+(?=@)/g,
]

/** Where each logger opened here reports failures caused by an outage. */
const counted = new WeakMap<Logger, { outages?: Pick<Outages, 'failed'> }>()

/**
 * Counts certain lines of a logger, and of its children, as part of an outage instead of writing them: warnings and errors
 * whose error says that a dependency is unavailable.
 */
export function countOutages(logger: Logger, outages: Pick<Outages, 'failed'>): void {
  const own = counted.get(logger)
  if (own) own.outages = outages
}

/**
 * Structured logs on standard output, one line of JSON each. Anything that looks like a secret or an address is removed,
 * wherever it stands. The caller has to leave out other personal data.
 */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  const own: { outages?: Pick<Outages, 'failed'> } = {}
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          ...['', '*.', '*.*.'].flatMap((above) => secretMembers.map((name) => pathOf(above, name))),
          ...rowMembers,
        ],
        censor: '[redacted]',
      },
      hooks: { streamWrite: withoutSecrets, logMethod: unlessOutage },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  )
  counted.set(logger, own)
  return logger

  function unlessOutage(this: Logger, line: Parameters<LogFn>, write: LogFn, lineLevel: number): void {
    const [about] = line
    const error = lineLevel >= warning ? errorIn(about) : undefined
    if (error === undefined || !own.outages?.failed(orPostgresUnavailable(error), () => Object(about) as object))
      write.apply(this, line)
  }
}

const warning = pino.levels.values['warn'] ?? 40

/** The error in a line, under the names that the product uses for it. */
function errorIn(about: unknown): unknown {
  // A line that names the part comes from the outages themselves.
  if (typeof about !== 'object' || about === null || 'part' in about) return undefined
  if ('err' in about) return about.err
  return 'error' in about ? about.error : undefined
}

function pathOf(above: string, name: string): string {
  return `${above.replace(/\.$/, '')}["${name}"]`
}

function withoutSecrets(line: string): string {
  return secretTexts.reduce((rest, secret) => rest.replace(secret, '[redacted]'), line)
}
