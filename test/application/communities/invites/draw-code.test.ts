import { describe, expect, it } from 'vitest'
import { createChannelInvite } from '../../../../application/communities/invites/create-channel-invite.ts'
import { inviteCode } from '../../../../domain/ids/ids.ts'
import { world } from '../../support/world.ts'

const plain = { maxUses: 0, maxAge: 0, unique: true, temporary: false }
const [first, second] = [inviteCode('AAAAAAAA'), inviteCode('BBBBBBBB')]

/** Randomness that yields one code first, and another one from then on. */
function twoCodes() {
  let draws = 0
  return (count: number) => new Uint8Array(count).fill(draws++ === 0 ? 0 : 1)
}

describe('a random code', () => {
  it('is drawn again if a guild has it as its custom code, in any case', async () => {
    const on = world()
    const owner = await on.newcomer('Ada')
    const { id, channel } = await on.guildOf(owner)
    const { context } = await on.as(owner)
    const custom = inviteCode('aaaaaaaa')
    const claiming = { type: 'ClaimCustomCode', code: custom, guildId: id } as const
    await on.ports.aggregates.invite.execute(custom, claiming, context)
    const caller = await on.as(owner, { randomBytes: twoCodes() })
    expect(await createChannelInvite(on.ports)(caller, channel, plain)).toMatchObject({ code: second })
    expect((await on.ports.aggregates.invite.load(first)).state).toStrictEqual({ status: 'deleted' })
  })

  it('gives way to a guild that takes it during the creation', async () => {
    const on = world()
    const owner = await on.newcomer('Ada')
    const { id, channel } = await on.guildOf(owner)
    const custom = inviteCode('aaaaaaaa')
    const { context } = await on.as(owner)
    const { invite } = on.ports.aggregates
    const claimsFirst: typeof invite.execute = async (code, command, own, startFrom) => {
      if (code === first && command.type === 'CreateInvite')
        await invite.execute(custom, { type: 'ClaimCustomCode', code: custom, guildId: id }, context)
      return invite.execute(code, command, own, startFrom)
    }
    const aggregates = { ...on.ports.aggregates, invite: { ...invite, execute: claimsFirst } }
    const caller = await on.as(owner, { randomBytes: twoCodes() })
    const made = await createChannelInvite({ ...on.ports, aggregates })(caller, channel, plain)
    expect(made).toMatchObject({ code: second })
    expect((await invite.load(first)).state).toStrictEqual({ status: 'deleted' })
  })

  it('is drawn again if it was used before', async () => {
    const on = world()
    const owner = await on.newcomer('Ada')
    const { channel } = await on.guildOf(owner)
    const make = async () =>
      createChannelInvite(on.ports)(await on.as(owner, { randomBytes: twoCodes() }), channel, plain)
    expect(await make()).toMatchObject({ code: first })
    on.wait(1)
    expect(await make()).toMatchObject({ code: second })
  })
})
