import { joinGuild } from '../../../application/communities/admission/join-guild.ts'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, type TestGuild } from './answers.ts'

export const applicationsPath = '/v1/oauth2/applications'

/** A new application as its owner sees it. */
export interface TestApplication {
  readonly id: string
  readonly clientSecret: string
  /** The token of its bot; the header is `Bot <token>`. */
  readonly botToken: string
  readonly bot: { readonly username: string; readonly discriminator: string }
}

export function createApplication(
  { request }: TestGuildhall,
  { token }: { readonly token: string },
  body: object = { name: 'Engine' },
): Promise<TestAnswer> {
  return request('POST', applicationsPath, { token, body })
}

/** Creates an application and its bot. */
export async function newApplication(
  guildhall: TestGuildhall,
  owner: { readonly token: string },
  body?: object,
): Promise<TestApplication> {
  const created = bodyOf(await createApplication(guildhall, owner, body))
  const bot = created['bot'] as TestApplication['bot'] & { readonly token: string }
  return { id: String(created['id']), clientSecret: String(created['client_secret']), botToken: bot.token, bot }
}

/** The header of a bot. */
export const asBot = ({ botToken }: Pick<TestApplication, 'botToken'>): string => `Bot ${botToken}`

/** Adds a bot to a guild. */
export async function addBot({ ports }: TestGuildhall, bot: { readonly id: string }, guild: TestGuild): Promise<void> {
  const context = testContext()
  const ids = { guildId: guildId(snowflake(guild.id)), accountId: accountId(snowflake(bot.id)) }
  await joinGuild(ports, { ...ids, temporary: false, admission: { by: 'custom_invite' } }, context)
  await ports.readModels.reached(context.written)
}
