import { z } from 'zod'
import {
  address,
  applicationIdText,
  clientVersions,
  wholeNumber,
  connectionString,
  fileScanner,
  jsonObject,
  mailFrom,
  mediaUrl,
  nameServers,
  previewedNetworks,
  natsServers,
  onOff,
  originOf,
  ownAddress,
  port,
  url,
} from './setting-forms.ts'
import { storeASetting, storeBSetting, storeSandboxSetting } from './store-setting-schemas.ts'

/** The text of a setting on the reference page. */
export interface SettingNote {
  readonly meaning: string
  /** What applies if it is unset, if the default below does not say everything. */
  readonly whenUnset?: string
  /** What happens if processes of one instance have different values; undefined for a setting of a single process. */
  readonly whenDifferent?: string
}

/** The meaning of each setting, by its check. */
export const settingNotes = z.registry<SettingNote>()

/** Every setting, with its default, its check and its meaning. */
export const settingSchema = z.object({
  HTTP_PORT: port.default(3000).register(settingNotes, {
    meaning: 'Where the API, `/docs` and the Gateway at `/gateway` listen. Port 0 takes any free port.',
  }),
  HTTP_HOST: ownAddress.default('127.0.0.1').register(settingNotes, {
    meaning: 'The address that `HTTP_PORT` is opened on.',
  }),
  STATUS_PORT: port.optional().register(settingNotes, {
    meaning:
      'Where `/_health`, `/_ready` and `/_metrics` answer whoever watches over the process. Port 0 takes any free port.',
    whenUnset: '10,000 above `HTTP_PORT`, or below it where that is no port',
  }),
  STATUS_HOST: ownAddress.optional().register(settingNotes, {
    meaning:
      'The address that `STATUS_PORT` is opened on. That port has no limits: let only your supervisor and Prometheus reach it.',
    whenUnset: 'the value of `HTTP_HOST`',
  }),
  PUBLIC_URL: url('http:', 'https:').optional().register(settingNotes, {
    meaning:
      'What URLs in answers begin with. Its host name is what passkeys are made for: after a move they do not work.',
    whenUnset: 'made from host and port',
    whenDifferent: 'clients are told different addresses',
  }),
  WEBAPP_URL: url('http:', 'https:').optional().register(settingNotes, {
    meaning:
      'Where people are sent instead of to the pages of this server: the base of a client that has `/verify`, `/reset`, `/wasntme`, `/authorize-ip`, `/register`, `/invite`, `/gift`, `/oauth2/authorize` and `/auth/sso/callback`. The pages of this server then redirect there.',
    whenUnset: 'the value of `PUBLIC_URL`: the pages of this server',
    whenDifferent: 'people are sent to different addresses',
  }),
  DATA_DIR: z.string().min(1).default('./data').register(settingNotes, {
    meaning: 'The folder of the embedded Postgres, of images and attachments, and of the key of personal data.',
  }),
  DATABASE_URL: url('postgres:', 'postgresql:').optional().register(settingNotes, {
    meaning:
      '`postgres://…`: an outside Postgres for the read models, the keys and, without `EVENTSTORE_URL`, the events.',
    whenUnset: 'the embedded Postgres',
    whenDifferent: 'there are two instances that know nothing of each other',
  }),
  MEDIA_URL: mediaUrl.optional().register(settingNotes, {
    meaning:
      '`https://<key>:<secret>@<host>/<bucket>`, with `?region=` where the region is not us-east-1: keeps images, attachments and archives in S3-compatible storage. Needed where `api` and `worker` processes share no folder.',
    whenUnset: 'images, attachments and archives are files in `DATA_DIR/media`',
    whenDifferent:
      'images, attachments and archives that one process stored are missing at another; where it is unset, the `api` and `worker` processes have to share the folder `DATA_DIR/media`',
  }),
  EVENTSTORE_URL: connectionString.optional().register(settingNotes, {
    meaning:
      '`esdb://…` or `esdb+discover://…`: keeps the events in EventStoreDB 22.10 to 24. Nodes, TLS and credentials stand in its connection string.',
    whenUnset: 'events are in Postgres',
    whenDifferent: 'there are two instances that know nothing of each other',
  }),
  NATS_URL: natsServers.optional().register(settingNotes, {
    meaning:
      '`nats://user:password@host:port` or `tls://…`, several separated by commas: NATS with JetStream, which carries events and presence between processes. Where it is set, limits are shared through Postgres.',
    whenUnset: 'events and presence stay in the process',
    whenDifferent:
      "Gateways hear of events only by looking into the store, and know nothing of each other's presence, sessions and new tokens",
  }),
  GATEWAY_URL: url('ws:', 'wss:').optional().register(settingNotes, {
    meaning: '`ws://…` or `wss://…`: where clients find the Gateway, if not at `/gateway` of the API.',
    whenUnset: '`/gateway` below `PUBLIC_URL`',
    whenDifferent: 'clients are told different addresses',
  }),
  PERSONAL_DATA_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/_-]{43}=?$/, { message: 'must be 32 bytes in base64' })
    .optional()
    .register(settingNotes, {
      meaning:
        '32 bytes in base64. They wrap the keys that personal data in events is encrypted with. **Back it up**: without it nobody can read e-mail addresses, passwords and dates of birth any more.',
      whenUnset: 'made at the first start, in `DATA_DIR`',
      whenDifferent:
        'a process cannot read what others have sealed: e-mail addresses, passwords, dates of birth, new session tokens on their way to clients',
    }),
  SMTP_URL: url('smtp:', 'smtps:').optional().register(settingNotes, {
    meaning:
      '`smtp://user:password@host:port` or `smtps://…`: the mail server. With a user, `smtp://` needs a server that offers TLS, unless the URL ends with `?requireTLS=false`.',
    whenUnset: 'mails are kept, `guildhall mail` prints them, and addresses count as verified',
    whenDifferent: 'an `api` without it keeps its mails; a `worker` without it leaves those of others waiting',
  }),
  MAIL_FROM: mailFrom.optional().register(settingNotes, {
    meaning: '`chat@example.com` or `Chat <chat@example.com>`: the sender of mails. Needed with `SMTP_URL`.',
    whenDifferent: 'as for `SMTP_URL`',
  }),
  SERVICE_NAME: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, { message: 'must be 1-32 of a-z, 0-9 and -' })
    .default('guildhall')
    .register(settingNotes, {
      meaning: "The service's own name, which usernames may not contain.",
      whenDifferent: 'what is refused depends on the process that is asked',
    }),
  HOSTED: z.enum(['true', 'false'], { message: 'must be true or false' }).default('false').register(settingNotes, {
    meaning:
      '`true` for a hosted instance: whoever registers has to agree to its terms, and the store routes are served. Elsewhere these are 404.',
    whenDifferent: 'what is refused depends on the process that is asked',
  }),
  STORE_A: storeASetting.optional().register(settingNotes, {
    meaning:
      'Premium through store A, on a hosted instance: JSON, or the path of a file with it. `{"issuer_id", "key_id", "private_key": <PEM of the .p8 file>, "apps": [{"bundle_id", "app_id"}], "products": {<product>: "monthly" | "yearly" | "gift_1_month" | "gift_1_year"}}`. For tests also `api_url`, `sandbox_api_url`, and `root_certificates`, which are trusted instead of the pinned one; a start warns of those.',
    whenUnset: 'the store is not set up: 503 STORE_BILLING_UNAVAILABLE',
    whenDifferent: 'what is sold and which purchases are believed depends on the process that is asked',
  }),
  STORE_B: storeBSetting.optional().register(settingNotes, {
    meaning:
      'Premium through store B, on a hosted instance: JSON, or the path of a file with it. `{"client_email", "private_key": <PEM>, "packages": [<package>], "products": {"<product>:<plan>": "monthly" | "yearly", <product>: "gift_1_month" | "gift_1_year"}, "push": {"audience", "email"}}`. The first package is the default. For tests also `api_url`, `token_url` and `push.jwks_url`.',
    whenUnset: 'the store is not set up: 503 STORE_BILLING_UNAVAILABLE',
    whenDifferent: 'as for `STORE_A`',
  }),
  STORE_SANDBOX: storeSandboxSetting.optional().register(settingNotes, {
    meaning:
      'Whose purchases in the stores\' sandboxes count: JSON, or the path of a file with it. `{"everyone": true}`, or `{"accounts": [<account id>]}`.',
    whenUnset: "nobody's",
    whenDifferent: 'whether a sandbox purchase counts depends on the process that is asked',
  }),
  CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((part) => originOf(part.trim())))
    .refine(
      (origins) => origins.every((origin) => origin !== undefined) && (origins.length === 1 || !origins.includes('*')),
      {
        message: 'must be *, or origins separated by commas, as in https://chat.example.com,http://localhost:5173',
      },
    )
    .transform((origins) => origins.filter((origin) => origin !== undefined))
    .default([])
    .register(settingNotes, {
      meaning:
        'Origins, separated by commas, whose pages may use the API and the Gateway in a browser, or `*` for all. Name where a web client is served from, if that is neither this server nor `WEBAPP_URL`. Passkeys work on those at or below the host of `PUBLIC_URL`, by https; `*` names none for them.',
      whenUnset: 'none but the own one and that of `WEBAPP_URL`',
      whenDifferent: 'a web client is refused by some processes',
    }),
  CLIENT_VERSIONS: clientVersions.default([]).register(settingNotes, {
    meaning:
      'Versions, separated by commas, that are answered as version 1: with `10`, paths below `/v10` and `/api/v10`, and `v=10` at the Gateway. For [clients](../clients.md) that know no other.',
    whenUnset: 'none',
    whenDifferent: 'a client of such a version is refused by some processes',
  }),
  GATEWAY_REPLAY_MIB: wholeNumber(1, 65_536).default(256).register(settingNotes, {
    meaning:
      'How many MiB of dispatches a process keeps for all its Gateway sessions, so that they can be resumed. A dispatch to many sessions counts once. Beyond this, sessions whose clients have acknowledged nothing for longest must begin anew after a break.',
  }),
  GATEWAY_COMPRESSED_MAX: wholeNumber(0, 100_000).default(500).register(settingNotes, {
    meaning:
      'How many Gateway connections of a process may be compressed, which takes 0.1 to 0.5 MB each, and up to 2 MB more where the client sends much. Further clients that ask for it are closed with 4002; most ask again without.',
    whenDifferent: 'whether a connection is compressed depends on the process',
  }),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(address))
    .default([])
    .register(settingNotes, {
      meaning:
        'Addresses and networks, separated by commas, whose X-Forwarded-For is believed. Name a reverse proxy with a public address here; without that, all its clients count as one client, share its limits, and are banned together.',
      whenUnset: 'none',
      whenDifferent: 'limits count different addresses',
    }),
  DNS_SERVERS: nameServers.optional().register(settingNotes, {
    meaning:
      'Addresses of name servers, separated by commas, that administrators have host names of addresses looked up at, for at most two seconds each and at most once a day. `off`: nobody is asked, and no address has a name.',
    whenUnset: 'the name servers of the system',
    whenDifferent: 'host names depend on the process that is asked',
  }),
  LINK_PREVIEWS: z
    .union([z.literal('off').transform(() => undefined), previewedNetworks])
    .default([])
    .register(settingNotes, {
      meaning:
        '`on`: workers fetch the pages that messages link to, and show their titles below the messages, and messages of webhooks have the pictures of their `avatar_url`. Only public addresses are asked; networks separated by commas, such as `10.1.0.0/16`, are asked as well. `off`: nothing is fetched.',
      whenDifferent: 'some messages get no previews',
    }),
  FILE_SCANNER: fileScanner.optional().register(settingNotes, {
    meaning:
      '`clamd://host:port` or `clamd:///path/of/a/socket`: ClamAV; `icap://host:port/service`: a scanner that speaks ICAP. It is sent every file of a message before the message is written, and what it finds infected is refused. While it does not answer, files are refused with 503, and everything else goes on. Let it take files of `max_attachment_file_size`: with ClamAV, set StreamMaxLength. Files pass to it unencrypted.',
    whenUnset: 'no file is scanned',
    whenDifferent: 'whether a file is scanned depends on the process that receives it',
  }),
  GEOIP_DATABASE: z.string().min(1).optional().register(settingNotes, {
    meaning:
      'The path of an MMDB file with cities or countries, which tells administrators where addresses are. It is kept in memory, and read anew when it changes.',
    whenUnset: 'nobody is told where addresses are',
    whenDifferent: 'locations depend on the process that is asked',
  }),
  INSTANCE_CONFIG: jsonObject.default({}).register(settingNotes, {
    meaning:
      'What holds on the instance until it is changed while the instance runs: JSON with the members that `guildhall instance` prints, for example `{"registration":{"mode":"approval"},"account_identity":{"mode":"username","tag_style":"none"}}`.',
    whenDifferent: 'what holds depends on the process that is asked',
  }),
  CONSOLE: onOff.default('on').register(settingNotes, {
    meaning:
      '`on`: administrators have a console in their browser, at `/console`. `off`: everything below `/console` is 404, and nobody can sign in to it.',
    whenDifferent: 'whether there is a console depends on the process that is asked',
  }),
  ADMIN_APPLICATION_ID: applicationIdText.optional().register(settingNotes, {
    meaning: 'The OAuth2 application whose access tokens are accepted below `/v1/admin`, as those of the console are.',
    whenUnset: 'none',
    whenDifferent: 'whose tokens administer depends on the process that is asked',
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, { message: 'must be 16-256 characters of ASCII without spaces' })
    .optional()
    .register(settingNotes, {
      meaning:
        '16-256 characters without spaces, which `/_metrics` asks for as `Authorization: Bearer <token>`. Set it where others than your Prometheus reach the port.',
      whenUnset: '`/_metrics` asks for nothing',
    }),
  RATE_LIMITS: onOff.default('on').register(settingNotes, {
    meaning:
      '`off` is for load tests. It lifts every bucket, what requests may take of the processor and in bytes, every allowance of sign-ins, proofs and other acts, bans after failures, and how many connections and requests one address or account may hold at once.',
    whenDifferent: 'limits do not count everywhere',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      message: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info')
    .register(settingNotes, {
      meaning:
        'What is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Logs are on standard output.',
    }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional().register(settingNotes, {
    meaning:
      '`http://…` or `https://…`: sends traces over OTLP to the collector there (`/v1/traces` is appended). `OTEL_EXPORTER_OTLP_HEADERS` is what it asks for.',
    whenUnset: 'nothing is traced',
    whenDifferent: 'traces lack the parts of processes without it',
  }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, { message: 'must be a number, 0 to 1' })
    .transform(Number)
    .default(1)
    .register(settingNotes, {
      meaning: 'The share of requests that are traced, 0 to 1.',
      whenDifferent: 'some traces lack the parts of processes with a smaller share',
    }),
  ACCESS_LOG: onOff.default('off').register(settingNotes, {
    meaning:
      '`on`: the log has a line `answered` for each request, at level info: request id, operation, status, duration in milliseconds, and the id of the account. It costs up to half of the requests that a process can answer.',
  }),
  LOG_FORMAT: z.enum(['json', 'text'], { message: 'must be json or text' }).optional().register(settingNotes, {
    meaning: '`json`: one JSON object per line. `text`: lines for people.',
    whenUnset: '`text` on a terminal, `json` everywhere else',
  }),
})
