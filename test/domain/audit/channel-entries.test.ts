import { describe, expect, it } from 'vitest'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.ts'
import { emptyForum } from '../../../domain/guild/channel.ts'
import type { ChannelEvent } from '../../../domain/guild/channel-events.ts'
import { category, created, text, voice } from '../guild/channel-sentences.ts'
import { everyone, grace, home, linus, start } from '../../../domain/testing/people.ts'

/** Entries about channels and their overwrites: actions 10 to 15. */

const entriesOf = ({ type, data }: ChannelEvent) =>
  guildAuditEntriesOf({ type, data, position: 7n, metadata: { at: start, actor: { kind: 'account', id: grace } } })
const keysOf = (event: ChannelEvent) => entriesOf(event)[0]?.changes.map(({ key }) => key)
const overwrite = { id: everyone, type: 0, allow: '0', deny: '1024' } as const
const ofLinus = { id: linus, type: 1, allow: '64', deny: '0' } as const
const made = (channel: typeof text) =>
  ({ type: 'ChannelCreated', data: { guildId: home, channel, founding: false } }) as const
/** The keys of an entry's changes are in the order of their letters. */
const inOrder = (...keys: readonly string[]) => keys.toSorted()
const plainKeys = [
  'channel_id',
  'type',
  'name',
  'topic',
  'url',
  'parent_id',
  'position',
  'nsfw',
  'content_warning_level',
  'content_warning_text',
  'rate_limit_per_user',
]

describe('the entries of a channel', () => {
  it('name all that it has when it comes and when it goes, and nothing of the layout that a guild begins with', () => {
    const threadKeys = ['default_auto_archive_duration', 'default_thread_rate_limit_per_user']
    const voiceKeys = ['user_limit', 'voice_connection_limit', 'bitrate', 'rtc_region', 'rtc_p2p']
    const forumKeys = [
      'flags',
      'available_tags',
      'default_reaction_emoji',
      'default_sort_order',
      'default_forum_layout',
      'default_tag_setting',
    ]
    expect(keysOf(made(category))).toStrictEqual(inOrder(...plainKeys))
    expect(keysOf(made(voice))).toStrictEqual(inOrder(...plainKeys, ...voiceKeys))
    expect(keysOf(made({ ...text, type: 15, forum: emptyForum }))).toStrictEqual(
      inOrder(...plainKeys, ...forumKeys, ...threadKeys),
    )
    const gone = { type: 'ChannelDeleted', data: { guildId: home, channel: text, orphans: [] } } as const
    expect(keysOf(gone)).toStrictEqual(inOrder(...plainKeys, ...threadKeys))
    expect(entriesOf(gone)).toMatchObject([{ actionType: 12, targetId: text.id, options: { type: 0 } }])
    for (const { old_value, new_value } of entriesOf(gone)[0]?.changes ?? [])
      expect([old_value === undefined, new_value]).toStrictEqual([false, undefined])
    const founding = created(text, true)
    expect(founding.type === 'ChannelCreated' && entriesOf(founding)).toStrictEqual([])
  })

  it('tell of one that comes with overwrites by an entry for each of them', () => {
    const entries = entriesOf(made({ ...text, overwrites: [overwrite, ofLinus] }))
    expect(entries.map(({ actionType, targetId }) => [actionType, targetId])).toStrictEqual([
      [10, text.id],
      [13, everyone],
      [13, linus],
    ])
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3)
  })

  it('name what differs in a change, each value apart, and there are none where nothing of it has a key', () => {
    const change = (before: object, after: object) =>
      ({
        type: 'ChannelChanged',
        data: { guildId: home, channelId: voice.id, channelType: 2, before, after },
      }) as const
    const loud = { ...voice.voice, bitrate: 96_000 }
    expect(entriesOf(change({ voice: voice.voice, name: 'a' }, { voice: loud, name: 'b' }))).toMatchObject([
      {
        actionType: 11,
        targetId: voice.id,
        options: { type: 2 },
        changes: [
          { key: 'bitrate', old_value: 64_000, new_value: 96_000 },
          { key: 'name', old_value: 'a', new_value: 'b' },
        ],
      },
    ])
    expect(entriesOf(change({}, {}))).toStrictEqual([])
    expect(entriesOf(change({ nsfwOverride: null }, { nsfwOverride: true }))).toStrictEqual([])
  })

  it('tell of overwrites that come, change and go, with all values as strings', () => {
    const more = { ...overwrite, allow: '2048' }
    const data = { guildId: home, channelId: text.id, synced: [] }
    const entries = entriesOf({
      type: 'ChannelOverwritesChanged',
      data: { ...data, before: [overwrite, ofLinus], after: [more, { ...ofLinus, id: grace }] },
    })
    const about = (id: string, type: number) => ({ targetId: id, options: { type, channel_id: text.id } })
    expect(entries).toMatchObject([
      { actionType: 14, ...about(everyone, 0), changes: [{ key: 'allow', old_value: '0', new_value: '2048' }] },
      { actionType: 13, ...about(grace, 1), changes: expect.arrayContaining([{ key: 'type', new_value: '1' }]) },
      { actionType: 15, ...about(linus, 1), changes: expect.arrayContaining([{ key: 'allow', old_value: '64' }]) },
    ])
    const same = { ...data, before: [overwrite], after: [overwrite] }
    expect(entriesOf({ type: 'ChannelOverwritesChanged', data: same })).toStrictEqual([])
  })
})
