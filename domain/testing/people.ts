import { defaultLayout, type DefaultChannelIds } from '../guild/layout.ts'
import type { Role } from '../guild/state.ts'
import {
  accountId,
  applicationId,
  channelId,
  everyoneRoleId,
  guildId,
  inviteCode,
  registrationUrlId,
  roleId,
} from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { timestamp } from '../kernel/timestamp.ts'
import type { Admission } from '../membership/events.ts'

/** The people and places in these tests. */

export const account = (number: number) => accountId(snowflake(`1${number.toString().padStart(5, '0')}`))
export const channel = (number: number) => channelId(snowflake(`3${number.toString().padStart(5, '0')}`))
export const role = (number: number) => roleId(snowflake(`4${number.toString().padStart(5, '0')}`))

export const ada = account(1)
export const grace = account(2)
export const linus = account(3)
export const moderator = account(4)
export const accounts = [ada, grace, linus, moderator] as const

export const engine = applicationId(snowflake('500001'))

export const home = guildId(snowflake('200001'))
/** Other guilds; only their ids matter. */
export const away = guildId(snowflake('200002'))
export const third = guildId(snowflake('200003'))
export const everyone = everyoneRoleId(home)
export const roles = [role(1), role(2), role(3), everyone] as const

export const layout: DefaultChannelIds = {
  textCategory: channel(1),
  voiceCategory: channel(2),
  text: channel(3),
  voice: channel(4),
}
export const homeLayout = defaultLayout(home, layout)
export const general = layout.text
export const channels = [layout.text, layout.voice] as const

/** The data of a ban of an unknown account, by a request without options. */
export const bareBan = { email: null, ip: null, deleteMessageSeconds: null, deleteMessageDays: null } as const

export const code = inviteCode('aB3xY7zQ')
export const founding: Admission = { by: 'founding' }

export const someRegistrationUrl = registrationUrlId(snowflake('500001'))

export const start = timestamp(Date.UTC(2026, 4, 1, 12))
export const installation: Admission = {
  by: 'bot_installation',
  installerId: ada,
  role: { id: role(9), name: 'Engine', permissions: '8' },
}

export const plainRole: Role = {
  id: role(1),
  name: 'Engine',
  permissions: '8',
  position: 1,
  color: 0,
  hoist: false,
  hoistPosition: null,
  mentionable: false,
  unicodeEmoji: null,
}
