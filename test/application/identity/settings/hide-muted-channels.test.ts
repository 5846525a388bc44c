import { describe, expect, it } from 'vitest'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { changeUserSettings } from '../../../../application/identity/settings/change-user-settings.ts'
import { world, type World } from '../../support/world.ts'

/** The guild settings in the events. */
const hidden = async (the: World) =>
  (await the.events()).filter(({ type }) => type === 'UserGuildSettingsChanged').map(({ data }) => data)

describe('joining with default_hide_muted_channels', () => {
  it('hides the muted channels once, however often the invite is accepted', async () => {
    const the = world()
    const [ada, grace] = [await the.newcomer(), await the.newcomer()]
    const { id, code } = await the.guildOf(ada)
    const wishes = { changes: { defaultHideMutedChannels: true } }
    await changeUserSettings(the.ports)(await the.as(grace), wishes)
    for (let count = 0; count < 2; count += 1) await acceptInvite(the.ports)(await the.as(grace), code)
    const changes = { hideMutedChannels: true }
    expect(await hidden(the)).toStrictEqual([{ accountId: grace, forGuild: id, changes }])
  })

  it('leaves nothing of a refused join', async () => {
    const the = world({ limits: { max_guilds: 1 } })
    const [ada, grace] = [await the.newcomer(), await the.newcomer()]
    const { code } = await the.guildOf(ada)
    await the.guildOf(grace)
    await changeUserSettings(the.ports)(await the.as(grace), { changes: { defaultHideMutedChannels: true } })
    await expect(acceptInvite(the.ports)(await the.as(grace), code)).rejects.toMatchObject({
      refusal: { code: 'MAX_GUILDS' },
    })
    expect(await hidden(the)).toStrictEqual([])
  })
})
