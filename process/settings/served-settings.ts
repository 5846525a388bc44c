import { z } from 'zod'
import type { SandboxRules } from '../../adapters/stores/store-settings.ts'
import { sql } from '../../application/sql/sql.ts'
import { sealedBox, type SealedBox } from '../../application/secrets/sealed-box.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { byteStoreLocation } from '../open-byte-store.ts'
import { publicUrlIn, webappUrlIn } from './public-url.ts'
import { readSettings, WrongSetting, type Settings } from './settings.ts'
import type { Store } from '../store.ts'

/** What commands print, write, record and refuse depends on these settings of the server. */
export interface ServedSettings extends Pick<Settings, 'hosted' | 'instanceConfig' | 'serviceName' | 'trustedProxies'> {
  /** Without a slash at the end, as is the other. */
  readonly publicUrl: string
  readonly webappUrl: string
  readonly canSendMail: boolean
  /** Whose purchases in the stores' sandboxes count. */
  readonly sandbox: SandboxRules
}

/** Settings with secrets. It is known whether the server has them, but not what they are. */
export const secretSettings = { STORE_A: 'storeA', STORE_B: 'storeB' } as const
type SecretSetting = keyof typeof secretSettings

type LocationSetting = 'dataDir' | 'mediaUrl'
type Published = Pick<Settings, 'serviceName' | 'webappUrl' | 'hosted' | 'smtp' | 'trustedProxies' | LocationSetting> &
  Partial<Pick<Settings, 'instanceConfig' | 'stores'>>
type SettingsStore = Pick<Store, 'database' | 'personalDataKey'>

const nothing = z.object({})
const servedRow = z.object({
  serviceName: z.string(),
  publicUrl: z.string(),
  webappUrl: z.string(),
  hosted: z.boolean(),
  canSendMail: z.boolean(),
  more: z.instanceof(Buffer).nullable(),
})
const moreServed = z.object({
  instanceConfig: z.record(z.string(), z.unknown()),
  trustedProxies: z.array(z.string()),
  /** The names of the settings with secrets that the server has. */
  secrets: z.array(z.string()),
  /** As `byteStoreLocation` gives it. */
  images: z.string(),
  sandbox: z
    .object({ everyone: z.boolean(), accounts: z.array(z.string().transform((id) => accountId(snowflake(id)))) })
    .transform(({ everyone, accounts }): SandboxRules => ({ everyone, accounts: new Set(accounts) })),
})
type MoreServed = z.input<typeof moreServed>

/** What a server noted. A server of an earlier version may have noted less. */
export type NotedSettings = Omit<z.output<typeof servedRow>, 'more'> & {
  readonly more: z.output<typeof moreServed> | null
}

const nobody: SandboxRules = { everyone: false, accounts: new Set() }

/** The configuration may hold the secret of single sign-on, so nothing of it is in the clear. */
const boxOf = ({ personalDataKey }: SettingsStore): SealedBox => sealedBox(personalDataKey, 'served settings')
const sealContext = ['served settings', 'more'] as const

/** Notes the settings of a server that has started, which is reached at `publicUrl`. The last one counts. */
export async function publishSettings(store: SettingsStore, settings: Published, publicUrl: string): Promise<void> {
  const { serviceName, webappUrl, hosted, smtp, instanceConfig = {}, trustedProxies } = settings
  const { everyone, accounts } = settings.stores?.sandbox ?? nobody
  const more: MoreServed = {
    instanceConfig: { ...instanceConfig },
    trustedProxies: [...trustedProxies],
    secrets: Object.keys(secretSettings).filter((name) => isGiven(settings, name as SecretSetting)),
    images: byteStoreLocation(settings),
    sandbox: { everyone, accounts: [...accounts] },
  }
  const sealed = boxOf(store).seal(sealContext, JSON.stringify(more))
  await store.database.any(sql.type(nothing)`
    insert into served.settings (service_name, public_url, webapp_url, hosted, can_send_mail, more)
    values (${serviceName}, ${publicUrl}, ${webappUrl ?? publicUrl}, ${hosted}, ${smtp !== undefined}, ${sql.binary(sealed)})
    on conflict (only_row) do update set service_name = excluded.service_name, public_url = excluded.public_url,
      webapp_url = excluded.webapp_url, hosted = excluded.hosted, can_send_mail = excluded.can_send_mail,
      more = excluded.more`)
}

/**
 * The settings of the server that serves this instance, whatever the command itself was given; the command's own where no server
 * has started yet. The tables must be there.
 */
export async function servedSettings(store: SettingsStore): Promise<ServedSettings> {
  const own = readSettings(process.env)
  const served = await notedSettings(store)
  if (!served) {
    const { serviceName, hosted, smtp, instanceConfig, trustedProxies, stores } = own
    const { sandbox } = stores
    const urls = { publicUrl: publicUrlIn(own), webappUrl: webappUrlIn(own) }
    return { serviceName, ...urls, hosted, canSendMail: smtp !== undefined, instanceConfig, trustedProxies, sandbox }
  }
  const { more, ...plain } = served
  const { instanceConfig, trustedProxies, sandbox } = more ?? { ...own, sandbox: own.stores.sandbox }
  return { ...plain, instanceConfig, trustedProxies, sandbox }
}

/**
 * Refuses a command that needs settings with secrets which the server has, and the command has not: without them it would do
 * something else than the server. Throws WrongSetting, which names them.
 */
export async function refuseWithoutServed(store: SettingsStore, names: readonly SecretSetting[]): Promise<void> {
  const own = readSettings(process.env)
  const served = await notedSettings(store)
  const missing = names.filter((name) => served?.more?.secrets.includes(name) === true && !isGiven(own, name))
  if (missing.length > 0)
    throw new WrongSetting(
      `The server has ${missing.join(' and ')}, and this command does not: set the same for it. They hold secrets, so the server does not hand them on.`,
    )
}

/**
 * Refuses a command that would read images elsewhere than the server keeps them: there are none, or those of another instance.
 * Throws WrongSetting, which names both locations.
 */
export async function refuseOtherImages(store: SettingsStore, own: Pick<Settings, LocationSetting>): Promise<void> {
  const served = (await notedSettings(store))?.more?.images
  const found = byteStoreLocation(own)
  if (served !== undefined && served !== found)
    throw new WrongSetting(
      `The server keeps images in ${served}, and this command would read ${found}: set DATA_DIR and MEDIA_URL as the server has them. If the images have moved, start the server with their new place first.`,
    )
}

/** What the server that started last has noted; undefined if none has. The tables must be there. */
export async function notedSettings(store: SettingsStore): Promise<NotedSettings | undefined> {
  const served = await store.database.maybeOne(sql.type(servedRow)`
    select service_name as "serviceName", public_url as "publicUrl", webapp_url as "webappUrl", hosted,
      can_send_mail as "canSendMail", more from served.settings`)
  if (!served) return undefined
  const { more } = served
  return { ...served, more: more && moreServed.parse(JSON.parse(boxOf(store).open(sealContext, more))) }
}

function isGiven({ stores }: Pick<Published, 'stores'>, name: SecretSetting): boolean {
  return stores?.[secretSettings[name]] !== undefined
}
