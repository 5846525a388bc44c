import { pino, type DestinationStream, type Logger } from 'pino'

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

/**
 * Structured logs, a line of JSON each, on standard output. Nothing that is like a secret or an address gets out, wherever it
 * stands; who logs leaves out what else is personal.
 */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['', '*.', '*.*.'].flatMap((above) => secretMembers.map((name) => pathOf(above, name))),
        censor: '[redacted]',
      },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  )
}

function pathOf(above: string, name: string): string {
  return `${above.replace(/\.$/, '')}["${name}"]`
}

function withoutSecrets(line: string): string {
  return secretTexts.reduce((rest, secret) => rest.replace(secret, '[redacted]'), line)
}
