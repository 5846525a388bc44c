import { randomBytes } from 'node:crypto'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { GuildSettings } from '../../../domain/guild/state.ts'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

type Holder = Pick<TestAccount, 'token'>

/** A custom code that nobody has. */
export function newCode(): string {
  return `c${randomBytes(6).toString('hex')}`
}

/** The requests of members about the custom invite URL of a guild. */
export function customCodesOn(on: () => Pick<TestGuildhall, 'request'>) {
  const path = (guild: string) => `/v1/guilds/${guild}/vanity-url`
  return {
    show: ({ token }: Holder, guild: string) => on().request('GET', path(guild), { token }),
    /** Without a code the body does not mention it. */
    choose: ({ token }: Holder, guild: string, code?: unknown) =>
      on().request('PATCH', path(guild), { token, body: code === undefined ? {} : { code } }),
  }
}

/** Gives a guild exactly these features, which no operation of its members can. */
export async function setFeatures(
  guildhall: TestGuildhall,
  guild: string,
  ...features: readonly GuildFeature[]
): Promise<void> {
  await command(guildhall, guild, { type: 'SetFeatures', features })
}

/** Writes guild settings that no operation of its members writes. */
export async function changeSettings(
  guildhall: TestGuildhall,
  guild: string,
  settings: Partial<GuildSettings>,
): Promise<void> {
  await command(guildhall, guild, { type: 'ChangeSettings', settings })
}

async function command({ ports, readModels }: TestGuildhall, guild: string, what: GuildCommand): Promise<void> {
  const context = testContext()
  await ports.aggregates.guild.execute(guildId(snowflake(guild)), what, context)
  await readModels.reached(context.written)
}
