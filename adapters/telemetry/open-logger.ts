import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Outages } from '../../application/ports/outages.js'
import { orPostgresUnavailable } from '../postgres/postgres-unavailable.js'

/** Members whose values are never logged, wherever they stand in the first three levels of what is logged. */
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

/** What secrets look like in the midst of other text. None begins at the letter of an escape such as \n. */
const secretTexts: readonly RegExp[] = [
  // Session tokens and Admin keys (supplement, Names).
  /gl[da]_[A-Za-z0-9_]+/g,
  // JSON web tokens, the sudo proof among them.
  /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
  // Bot tokens, OAuth2 tokens and whatever else is 32 bytes in base64url.
  /(?<!\\)(?:\d{15,19}\.)?[A-Za-z0-9_-]{43,}/g,
  // E-mail addresses.
  /(?<!\\)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g,
  // Passwords in the URLs of servers.
  /(?<=:\/\/[^\s:/@"]{1,64}:)[^\s@"]{1,256}(?=@)/g,
]

/** Where failures go that an outage is to blame for, of the loggers that were opened here. */
const counted = new WeakMap<Logger, { outages?: Pick<Outages, 'failed'> }>()

/**
 * Has those lines of a logger, and of its children, that tell of a failure for want of a part be counted as part of the outage
 * instead of being written: of warnings and errors that name an error.
 */
export function countOutages(logger: Logger, outages: Pick<Outages, 'failed'>): void {
  const own = counted.get(logger)
  if (own) own.outages = outages
}

/**
 * Structured logs, a line of JSON each, on standard output. Nothing that is like a secret or an address gets out, wherever it
 * stands; who logs leaves out what else is personal.
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
        paths: ['', '*.', '*.*.'].flatMap((above) => secretMembers.map((name) => pathOf(above, name))),
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

/** What a line is about, under the names that the product gives it. */
function errorIn(about: unknown): unknown {
  // What names the part is a line of the outages themselves.
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
