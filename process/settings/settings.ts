import type { z } from 'zod'
import type { SandboxRules, StoreASetup, StoreBSetup } from '../../adapters/stores/store-settings.ts'
import type { TraceSettings } from '../../adapters/telemetry/otlp-traces.ts'
import type { ApplicationId } from '../../domain/ids/ids.ts'
import { settingSchema } from './setting-schema.ts'

const statusDistance = 10_000

/** A mail server, as `SMTP_URL` names it, and the sender of mails. */
export interface MailServer {
  readonly url: string
  readonly from: { readonly name: string; readonly address: string }
}

/** The stores of a hosted instance; undefined for a store that is not set up. */
export interface StoreSettings {
  readonly storeA: StoreASetup | undefined
  readonly storeB: StoreBSetup | undefined
  readonly sandbox: SandboxRules
}

export interface Settings {
  readonly http: { readonly host: string; readonly port: number }
  /** Where health, readiness and metrics are served whatever the load. */
  readonly status: { readonly host: string; readonly port: number }
  /** The base of URLs in answers; undefined for the address that the server listens on. */
  readonly publicUrl: string | undefined
  /** The base of links to pages for people; undefined for the server's own pages. */
  readonly webappUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** S3-compatible storage for images; undefined for files in the data folder. */
  readonly mediaUrl: string | undefined
  /** The connection string of EventStoreDB; undefined for an event store in the same Postgres as everything else. */
  readonly eventStoreUrl: string | undefined
  /** The NATS servers that carry events between processes; undefined if one process plays every role. */
  readonly natsServers: readonly string[] | undefined
  /** The Gateway's URL for clients; undefined for `/gateway` below the public URL. */
  readonly gatewayUrl: string | undefined
  readonly personalDataKey: string | undefined
  /** The mail server and the sender of its mails; undefined if mails are kept. */
  readonly smtp: MailServer | undefined
  /** The name servers that look up host names of addresses, none for no look-up; undefined for those of the system. */
  readonly dnsServers: readonly string[] | undefined
  /** The path of an MMDB file, which says where addresses are; undefined if there is none. */
  readonly geoIpDatabase: string | undefined
  /** What scans the files of messages; undefined if nothing does. */
  readonly fileScanner: string | undefined
  /** Networks that pages are fetched from beside the public ones; undefined if none are fetched. */
  readonly linkPreviews: readonly string[] | undefined
  readonly serviceName: string
  readonly hosted: boolean
  readonly stores: StoreSettings
  readonly trustedProxies: readonly string[]
  /** Origins whose pages may use the API and the Gateway, or `*` for all. */
  readonly corsOrigins: readonly string[]
  /** Versions of the API, as clients write them, that are answered as version 1. */
  readonly clientVersions: readonly string[]
  /** What a process keeps for replays of its Gateway sessions, and how many Gateway connections may be compressed. */
  readonly gatewayReplay_bytes: number
  readonly gatewayCompressed_max: number
  /** Whether administrators have the console. */
  readonly console: boolean
  /** The OAuth2 application of the operator whose tokens administer, beside the console; undefined if there is none. */
  readonly adminApplicationId: ApplicationId | undefined
  /** The token that /_metrics requires; undefined if it requires none. */
  readonly metricsToken: string | undefined
  readonly rateLimits: boolean
  /** Where traces are sent, and of which share of requests; undefined if nothing is traced. */
  readonly traces: TraceSettings | undefined
  /** Whether the log has a line for each request. */
  readonly accessLog: boolean
  readonly logLevel: string
  /** Undefined for lines for people on a terminal, and JSON elsewhere. */
  readonly logFormat: 'json' | 'text' | undefined
  /** The instance's configuration until it is changed: `instancePolicyIn` parses it. */
  readonly instanceConfig: object
}

/** What a process with one role needs, by the setting that provides it. The other processes must have the same values. */
export const neededByRoles = {
  DATABASE_URL: 'databaseUrl',
  NATS_URL: 'natsServers',
  PERSONAL_DATA_KEY: 'personalDataKey',
} as const satisfies Readonly<Record<string, keyof Settings>>

/** A setting that can't be used. The message names it and says what it may be. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting'
}

/** Reads the settings from an environment. An empty value counts as unset. Throws WrongSetting. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = settingSchema.safeParse(given)
  if (!parsed.success)
    throw new WrongSetting(parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('; '))
  const values = parsed.data
  return {
    http: { host: values.HTTP_HOST, port: values.HTTP_PORT },
    status: { host: values.STATUS_HOST ?? values.HTTP_HOST, port: values.STATUS_PORT ?? statusPort(values.HTTP_PORT) },
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    webappUrl: values.WEBAPP_URL?.replace(/\/+$/, ''),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    mediaUrl: values.MEDIA_URL,
    eventStoreUrl: values.EVENTSTORE_URL,
    natsServers: values.NATS_URL,
    gatewayUrl: values.GATEWAY_URL?.replace(/\/+$/, ''),
    personalDataKey: values.PERSONAL_DATA_KEY,
    smtp: smtpOf(values),
    dnsServers: values.DNS_SERVERS,
    geoIpDatabase: values.GEOIP_DATABASE,
    fileScanner: values.FILE_SCANNER,
    linkPreviews: values.LINK_PREVIEWS,
    serviceName: values.SERVICE_NAME,
    hosted: values.HOSTED === 'true',
    stores: {
      storeA: values.STORE_A,
      storeB: values.STORE_B,
      sandbox: values.STORE_SANDBOX ?? { everyone: false, accounts: new Set() },
    },
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: withClient(values.CORS_ORIGINS, values.WEBAPP_URL),
    clientVersions: values.CLIENT_VERSIONS,
    gatewayReplay_bytes: values.GATEWAY_REPLAY_MIB * 1024 * 1024,
    gatewayCompressed_max: values.GATEWAY_COMPRESSED_MAX,
    console: values.CONSOLE === 'on',
    adminApplicationId: values.ADMIN_APPLICATION_ID,
    metricsToken: values.METRICS_TOKEN,
    rateLimits: values.RATE_LIMITS === 'on',
    traces: tracesOf(values),
    accessLog: values.ACCESS_LOG === 'on',
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    instanceConfig: values.INSTANCE_CONFIG,
  }
}

/** Ten thousand above HTTP_PORT, or below it if that is not a valid port; any free port if HTTP_PORT is any free port. */
function statusPort(httpPort: number): number {
  if (httpPort === 0) return 0
  return httpPort + statusDistance <= 65_535 ? httpPort + statusDistance : httpPort - statusDistance
}

function tracesOf({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER_ARG: share,
}: z.output<typeof settingSchema>): TraceSettings | undefined {
  return endpoint === undefined ? undefined : { endpoint, share }
}

function smtpOf({ SMTP_URL: server, MAIL_FROM: from }: z.output<typeof settingSchema>): MailServer | undefined {
  if (server === undefined) return undefined
  if (from === undefined) throw new WrongSetting('SMTP_URL is set, so MAIL_FROM must say who mails are from')
  return { url: server, from }
}

/** The operator's own client may use the API and the Gateway from where it is. */
function withClient(origins: readonly string[], webappUrl: string | undefined): readonly string[] {
  if (webappUrl === undefined || origins.includes('*')) return origins
  return [...new Set([...origins, new URL(webappUrl).origin])]
}
