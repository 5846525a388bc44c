import { describe, expect, it } from 'vitest'
import { applyForDiscovery } from '../../../../application/communities/discovery/apply-for-discovery.ts'
import {
  updateDiscoveryApplication,
  withdrawDiscoveryApplication,
} from '../../../../application/communities/discovery/change-discovery-application.ts'
import type { GuildCommand } from '../../../../domain/guild/commands.ts'
import type { AccountId, GuildId } from '../../../../domain/ids/ids.ts'
import { chessListing } from '../../../operations/support/discovery.ts'
import { accept, typesOf } from '../../support/happenings.ts'
import { codeOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

async function stage() {
  const on = world()
  const [ada, brian] = [await on.newcomer('Ada'), await on.newcomer('Brian')]
  const { id, code } = await on.guildOf(ada)
  await accept(on, brian, code)
  return { on, ada, brian, id }
}

/** Changes the guild so lately that the read models do not know of it. */
function unnoticed(on: World, id: GuildId, command: GuildCommand): Promise<unknown> {
  return on.ports.aggregates.guild.execute(id, command, on.requester().context)
}

const writes: readonly (readonly [
  string,
  (on: World, by: AccountId, id: GuildId) => Promise<() => Promise<unknown>>,
])[] = [
  [
    'applies',
    async (on, by, id) => withCaller(on, by, (caller) => applyForDiscovery(on.ports)(caller, id, chessListing)),
  ],
  ['edits', async (on, by, id) => withCaller(on, by, (caller) => updateDiscoveryApplication(on.ports)(caller, id, {}))],
  [
    'withdraws',
    async (on, by, id) => withCaller(on, by, (caller) => withdrawDiscoveryApplication(on.ports)(caller, id)),
  ],
]

/** The request as it is authenticated, before anything else happens. */
async function withCaller(
  on: World,
  by: AccountId,
  send: (caller: Awaited<ReturnType<World['as']>>) => Promise<unknown>,
): Promise<() => Promise<unknown>> {
  const caller = await on.as(by)
  return () => send(caller)
}

describe.each(writes)('somebody who %s', (_, prepared) => {
  it('is refused if the guild has changed hands a moment ago', async () => {
    const { on, ada, brian, id } = await stage()
    const send = await prepared(on, ada, id)
    await unnoticed(on, id, { type: 'TransferOwnership', by: ada, to: brian })
    expect(await codeOf(send())).toBe('MISSING_PERMISSIONS')
    expect((await typesOf(on)).filter((type) => type.startsWith('Discovery'))).toStrictEqual([])
  })

  it('is refused if the guild was deleted a moment ago', async () => {
    const { on, ada, id } = await stage()
    const send = await prepared(on, ada, id)
    await unnoticed(on, id, { type: 'DeleteGuild', by: ada })
    expect(await codeOf(send())).toBe('UNKNOWN_GUILD')
    expect((await typesOf(on)).filter((type) => type.startsWith('Discovery'))).toStrictEqual([])
  })
})
