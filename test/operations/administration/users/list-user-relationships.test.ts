import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { befriend, relationsOn, tagOf } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const reads = userReadsOf(guildhall, root)
const relations = relationsOn(guildhall)
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)

describe('List user relationships', () => {
  it('gives each in its category, with the other account, the nickname and its beginning', async () => {
    const ada = await guildhall.register()
    const [friend, asked, asking, foe] = await Promise.all(Array.from({ length: 4 }, () => guildhall.register()))
    if (!friend || !asked || !asking || !foe) throw new Error('Nobody came')
    await befriend(guildhall, ada, friend)
    bodyOf(await relations.name(ada, friend, 'Chief'))
    bodyOf(await relations.ask(ada, asked))
    bodyOf(await relations.ask(asking, ada))
    bodyOf(await relations.block(ada, foe))
    const tag = await tagOf(guildhall, friend)
    expect(bodyOf(await reads.below(ada, 'relationships'))).toEqual({
      friends: [
        {
          target_user_id: friend.id,
          category: 'friend',
          nickname: 'Chief',
          since: instant,
          target: { id: friend.id, ...tag, global_name: null, avatar: null },
        },
      ],
      incoming_requests: [expect.objectContaining({ target_user_id: asking.id, category: 'incoming_request' })],
      outgoing_requests: [expect.objectContaining({ target_user_id: asked.id, category: 'outgoing_request' })],
      blocked: [expect.objectContaining({ target_user_id: foe.id, category: 'blocked', nickname: null })],
    })
    expect(bodyOf(await reads.below(foe, 'relationships'))).toMatchObject({ blocked: [] })
    expect(await entriesAbout(guildhall, ada)).toMatchObject([
      {
        action: 'list_user_relationships',
        metadata: { friend_count: '1', incoming_request_count: '1', outgoing_request_count: '1', blocked_count: '1' },
      },
    ])
  })
  it('has four empty lists for an account without any', async () => {
    const ada = await guildhall.register()
    const none = { friends: [], incoming_requests: [], outgoing_requests: [], blocked: [] }
    expect(bodyOf(await reads.below(ada, 'relationships'))).toEqual(none)
  })
  it('refuses an unknown account, and records nothing', async () => {
    expectRefusal(await reads.below({ id: '4' }, 'relationships'), 404, 'UNKNOWN_USER')
    expect(await entriesAbout(guildhall, { id: '4' })).toEqual([])
  })
})
