import type { GuildCommand } from '../../../domain/guild/commands.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'

interface Client {
  readonly token: string
}

/** An id that nothing has. */
export const nowhere = '1'

/** The operations that read guilds and leave them. */
export function guildsOf({ request }: Pick<TestGuildhall, 'request'>) {
  const mine = '/v1/users/@me/guilds'
  return {
    get: ({ token }: Client, id: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
      request('GET', `/v1/guilds/${id}`, { token, headers }),
    list: ({ token }: Client, query = '', headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
      request('GET', `${mine}${query}`, { token, headers }),
    leave: ({ token }: Client, id: string, query = '', body?: unknown): Promise<TestAnswer> =>
      request('DELETE', `${mine}/${id}${query}`, { token, body }),
    remove: (
      account: Client & { readonly password?: string },
      id: string,
      body: unknown = { password: account.password },
    ): Promise<TestAnswer> => request('POST', `/v1/guilds/${id}/delete`, { token: account.token, body }),
    clear: (
      account: Client & { readonly password?: string },
      id: string,
      body: unknown = { password: account.password },
    ): Promise<TestAnswer> =>
      request('POST', `${mine}/${id}/messages/bulk-delete-mine`, { token: account.token, body }),
  }
}

/** Changes a guild in a way that no operation of this build can. */
export async function commandGuild({ ports }: TestGuildhall, id: string, change: GuildCommand): Promise<void> {
  const context = testContext()
  await ports.aggregates.guild.execute(guildId(snowflake(id)), change, context)
  await ports.readModels.reached(context.written)
}

/** Gives a guild exactly these features. */
export function setFeatures(guildhall: TestGuildhall, id: string, ...features: readonly GuildFeature[]): Promise<void> {
  return commandGuild(guildhall, id, { type: 'SetFeatures', features })
}
