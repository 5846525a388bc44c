import { expect, it } from 'vitest'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { world } from '../support/world.ts'

it('what a guild leaves behind is removed once if the process died that deleted it', async () => {
  const on = world()
  const ada = await on.newcomer('Ada')
  const { id, channel } = await on.guildOf(ada)
  const { context } = await on.as(ada)
  await on.ports.aggregates.guild.execute(id, { type: 'DeleteGuild', by: ada }, context)
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(60_000)
  const removed: string[] = []
  const channels: (readonly ChannelId[])[] = []
  const ports = {
    ...on.ports,
    images: { ...on.ports.images, removeAllOf: async (owner: string) => void removed.push(owner) },
    messages: { ...on.ports.messages, removeChannels: async (ids: readonly ChannelId[]) => void channels.push(ids) },
  }
  const finish = async () => {
    const olderThan = on.now
    on.wait(1)
    return finishUnfinished(ports)(olderThan, on.now)
  }
  expect(await finish()).toStrictEqual({ finished: 1, failures: [] })
  expect(removed).toStrictEqual([id])
  expect(channels.flat()).toContain(channel)
  expect(await finish()).toStrictEqual({ finished: 0, failures: [] })
})
