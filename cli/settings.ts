import { z } from 'zod'
import { parseEmail } from '../domain/account/names.js'
import { applicationId, type ApplicationId } from '../domain/ids/ids.js'
import { parseSnowflake } from '../domain/ids/snowflake.js'

const port = z
  .string()
  .regex(/^\d{1,5}$/, { message: 'must be a port, 0-65535' })
  .transform(Number)
  .refine((value) => value <= 65_535, { message: 'must be a port, 0-65535' })
const url = (...protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`,
  })
/** Storage is reached with a key and a secret, and keeps images in a bucket. */
const mediaUrl = url('http:', 'https:').refine(
  (text) => {
    const { username, password, pathname } = new URL(text)
    return username !== '' && password !== '' && /^\/[^/]+$/.test(pathname)
  },
  { message: 'must be https://<key>:<secret>@<host>/<bucket>' },
)
/** Several nodes, separated by commas, make it no URL. */
const connectionString = z
  .string()
  .regex(/^esdb(?:\+discover)?:\/\/[^/?#\s]+/, { message: 'must begin with esdb:// or esdb+discover:// and a host' })
/** A NATS address without a protocol would be taken for a host name by the client. */
const natsServers = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(url('nats:', 'tls:')).min(1))
const onOff = z.enum(['on', 'off'], { message: 'must be on or off' })
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  message: 'must be addresses or networks, separated by commas',
})

const mailFrom = z
  .string()
  .transform(
    (text) => /^(?:(?<name>[^<>"\p{Cc}]{1,64}) )?<(?<boxed>[^<>]+)>$|^(?<bare>[^<>]+)$/u.exec(text.trim())?.groups,
  )
  .transform((parts) => ({ name: parts?.['name'] ?? '', address: parts?.['boxed'] ?? parts?.['bare'] ?? '' }))
  .refine(({ address }) => parseEmail(address).ok, {
    message: 'must be an e-mail address, as in chat@example.com or Chat <chat@example.com>',
  })

const jsonObject = z.string().transform((text, context) => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  context.addIssue({ code: 'custom', message: 'must be a JSON object' })
  return z.NEVER
})

const applicationIdText = z.string().transform((text, context): ApplicationId => {
  const parsed = parseSnowflake(text)
  if (parsed.ok) return applicationId(parsed.id)
  context.addIssue({ code: 'custom', message: 'must be the id of an application' })
  return z.NEVER
})

/** Every setting, with its default and its check (supplement, Settings). */
const schema = z.object({
  HTTP_PORT: port.default(3000),
  HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  STATUS_PORT: port.optional(),
  STATUS_HOST: z.string().min(1).optional(),
  PUBLIC_URL: url('http:', 'https:').optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  MEDIA_URL: mediaUrl.optional(),
  EVENTSTORE_URL: connectionString.optional(),
  NATS_URL: natsServers.optional(),
  GATEWAY_URL: url('ws:', 'wss:').optional(),
  PERSONAL_DATA_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/_-]{43}=?$/, { message: 'must be 32 bytes in base64' })
    .optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: mailFrom.optional(),
  SERVICE_NAME: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, { message: 'must be 1-32 of a-z, 0-9 and -' })
    .default('guildhall'),
  HOSTED: z.enum(['true', 'false'], { message: 'must be true or false' }).default('false'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(address))
    .default([]),
  INSTANCE_CONFIG: jsonObject.default({}),
  ADMIN_APPLICATION_ID: applicationIdText.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, { message: 'must be 16-256 characters of ASCII without spaces' })
    .optional(),
  RATE_LIMITS: onOff.default('on'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      message: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
})

const statusDistance = 10_000

/** A mail server, as `SMTP_URL` names it, and who mails are from. */
export interface MailServer {
  readonly url: string
  readonly from: { readonly name: string; readonly address: string }
}

export interface Settings {
  readonly http: { readonly host: string; readonly port: number }
  /** Where health, readiness and metrics are answered whatever the load. */
  readonly status: { readonly host: string; readonly port: number }
  /** What URLs in answers begin with; undefined for the address that the server listens on. */
  readonly publicUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** S3-compatible storage for images; undefined for files in the data folder. */
  readonly mediaUrl: string | undefined
  /** Where EventStoreDB is; undefined for an event store in the same Postgres as everything else. */
  readonly eventStoreUrl: string | undefined
  /** The NATS servers that carry events between processes; undefined where one process plays every role. */
  readonly natsServers: readonly string[] | undefined
  /** Where clients find the Gateway; undefined for `/gateway` below the public URL. */
  readonly gatewayUrl: string | undefined
  readonly personalDataKey: string | undefined
  /** The mail server, and who its mails are from; undefined where mails are kept. */
  readonly smtp: MailServer | undefined
  readonly serviceName: string
  readonly hosted: boolean
  readonly trustedProxies: readonly string[]
  /** The built-in Admin OAuth2 application (contract part 1, Authentication, rule 7); undefined where there is none. */
  readonly adminApplicationId: ApplicationId | undefined
  /** What /_metrics asks for; undefined where it asks for nothing. */
  readonly metricsToken: string | undefined
  readonly rateLimits: boolean
  readonly logLevel: string
  /** What holds on the instance where nothing was changed since: `instancePolicyIn` reads it. */
  readonly instanceConfig: object
}

/** A setting that can't be used. The message names it and says what it may be. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting'
}

/** Reads the settings from an environment. An empty value counts as unset. Throws WrongSetting. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    throw new WrongSetting(parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('; '))
  const values = parsed.data
  return {
    http: { host: values.HTTP_HOST, port: values.HTTP_PORT },
    status: { host: values.STATUS_HOST ?? values.HTTP_HOST, port: values.STATUS_PORT ?? statusPort(values.HTTP_PORT) },
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    mediaUrl: values.MEDIA_URL,
    eventStoreUrl: values.EVENTSTORE_URL,
    natsServers: values.NATS_URL,
    gatewayUrl: values.GATEWAY_URL?.replace(/\/+$/, ''),
    personalDataKey: values.PERSONAL_DATA_KEY,
    smtp: smtpOf(values),
    serviceName: values.SERVICE_NAME,
    hosted: values.HOSTED === 'true',
    trustedProxies: values.TRUSTED_PROXIES,
    adminApplicationId: values.ADMIN_APPLICATION_ID,
    metricsToken: values.METRICS_TOKEN,
    rateLimits: values.RATE_LIMITS === 'on',
    logLevel: values.LOG_LEVEL,
    instanceConfig: values.INSTANCE_CONFIG,
  }
}

/** Ten thousand above HTTP_PORT, or below where that is no port; any that is free where that one is. */
function statusPort(httpPort: number): number {
  if (httpPort === 0) return 0
  return httpPort + statusDistance <= 65_535 ? httpPort + statusDistance : httpPort - statusDistance
}

function smtpOf({ SMTP_URL: server, MAIL_FROM: from }: z.output<typeof schema>): MailServer | undefined {
  if (server === undefined) return undefined
  if (from === undefined) throw new WrongSetting('SMTP_URL is set, so MAIL_FROM must say who mails are from')
  return { url: server, from }
}
