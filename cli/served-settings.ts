import { z } from 'zod'
import { sql, type Queries } from '../application/ports/database.js'
import { publicUrlIn, webappUrlIn } from './public-url.js'
import { readSettings, type Settings } from './settings.js'

/** What commands print, write into mails and record depends on these settings of the server. */
export interface ServedSettings {
  readonly serviceName: string
  /** Without a slash at the end, as is the other. */
  readonly publicUrl: string
  readonly webappUrl: string
  readonly hosted: boolean
  readonly canSendMail: boolean
}

const nothing = z.object({})
const servedRow = z.object({
  serviceName: z.string(),
  publicUrl: z.string(),
  webappUrl: z.string(),
  hosted: z.boolean(),
  canSendMail: z.boolean(),
})

/** Notes the settings of a server that has started, which is reached at `publicUrl`. The last one counts. */
export async function publishSettings(
  database: Queries,
  { serviceName, webappUrl, hosted, smtp }: Pick<Settings, 'serviceName' | 'webappUrl' | 'hosted' | 'smtp'>,
  publicUrl: string,
): Promise<void> {
  await database.any(sql.type(nothing)`
    insert into served.settings (service_name, public_url, webapp_url, hosted, can_send_mail)
    values (${serviceName}, ${publicUrl}, ${webappUrl ?? publicUrl}, ${hosted}, ${smtp !== undefined})
    on conflict (only_row) do update set service_name = excluded.service_name, public_url = excluded.public_url,
      webapp_url = excluded.webapp_url, hosted = excluded.hosted, can_send_mail = excluded.can_send_mail`)
}

/**
 * The settings of the server that serves this instance, whatever the command itself was given; the command's own where no server
 * has started yet. The tables must be there.
 */
export async function servedSettings(database: Queries): Promise<ServedSettings> {
  const served = await database.maybeOne(sql.type(servedRow)`
    select service_name as "serviceName", public_url as "publicUrl", webapp_url as "webappUrl", hosted,
      can_send_mail as "canSendMail" from served.settings`)
  if (served) return served
  const own = readSettings(process.env)
  const { serviceName, hosted, smtp } = own
  return {
    serviceName,
    publicUrl: publicUrlIn(own),
    webappUrl: webappUrlIn(own),
    hosted,
    canSendMail: smtp !== undefined,
  }
}
