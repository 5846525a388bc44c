import { describe, expect, it } from 'vitest'
import { dispatchesOf } from '../../../gateway/dispatches/dispatches-of.ts'
import { dispatchNames } from '../../../gateway/protocol/dispatch-names.ts'
import { eventCodec } from '../../../adapters/event-store/codec.ts'
import { sampleKeys } from '../../domain/released-events/sample-keys.ts'
import { samples } from '../../domain/released-events/samples.ts'

const codec = eventCodec(sampleKeys)
const raised = async (name: string) => {
  const sample = samples.find((each) => each.name === name)
  if (!sample) throw new Error(`There is no sample ${name}`)
  const [event] = await codec.decode([sample.stored])
  if (!event || !('type' in event)) throw new Error(`${name} cannot be read`)
  return dispatchesOf(event)
}

describe('the dispatches that an event may lead to', () => {
  it('are known of every event that was ever stored', async () => {
    const found = new Set<string>()
    for (const { name } of samples) for (const dispatch of await raised(name)) found.add(dispatch)
    const known = new Set<string>(dispatchNames)
    expect([...found].filter((name) => !known.has(name))).toEqual([])
    // What no event leads to: beginnings, answers, messages, presences and signals.
    expect([...known].filter((name) => !found.has(name)).toSorted()).toEqual([
      'AUTH_SESSION_CHANGE',
      'CHANNEL_MEMBER_COUNTS_UPDATE',
      'CHANNEL_PINS_ACK',
      'CHANNEL_PINS_UPDATE',
      'GUILD_COUNTS_UPDATE',
      'GUILD_MEMBERS_CHUNK',
      'GUILD_MEMBER_LIST_UPDATE',
      'GUILD_SYNC',
      'MESSAGE_ACK',
      'MESSAGE_CREATE',
      'MESSAGE_DELETE',
      'MESSAGE_DELETE_BULK',
      'MESSAGE_REACTION_ADD',
      'MESSAGE_REACTION_ADD_MANY',
      'MESSAGE_REACTION_REMOVE',
      'MESSAGE_REACTION_REMOVE_ALL',
      'MESSAGE_REACTION_REMOVE_EMOJI',
      'MESSAGE_UPDATE',
      'PASSIVE_UPDATES',
      'PRESENCE_UPDATE',
      'PRESENCE_UPDATE_BULK',
      'RATE_LIMITED',
      'READY',
      'RECENT_MENTION_DELETE',
      'RESUMED',
      'SAVED_MESSAGE_CREATE',
      'SAVED_MESSAGE_DELETE',
      'SESSIONS_REPLACE',
      'TYPING_START',
      'USER_NOTE_UPDATE',
    ])
  })
  it('follow from what the event says', async () => {
    expect(await raised('guild/RoleDeleted.v1')).toContain('GUILD_ROLE_DELETE')
    expect(await raised('account/AccountErased.v1')).toEqual([])
  })
})
