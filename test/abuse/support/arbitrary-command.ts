import fc, { type Arbitrary } from 'fast-check'
import { opcodes } from '../../../gateway/protocol/opcodes.ts'

/** Existing things that a command can name. */
export interface Nameable {
  readonly guilds: readonly string[]
  readonly channels: readonly string[]
  readonly accounts: readonly string[]
  /** Tokens of sessions, and one invalid one. */
  readonly tokens: readonly string[]
  readonly sessions: readonly string[]
}

/** A frame as a client sends it. */
export type ArbitraryFrame = Arbitrary<string | Buffer>

type Members = Readonly<Record<string, Arbitrary<unknown>>>

const frame_characters_max = 3000
/** These opcodes end a session, or nearly so. They are rare, so that the others have their turn. */
const ending: ReadonlySet<number> = new Set([opcodes.identify, opcodes.requestForumUnreads])

const nested = (levels: number): unknown => {
  let value: unknown = {}
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Values that no client means to send. */
const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e308, -(2 ** 53) - 1, 2 ** 63, '', ' ', [], {}, [[]]),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\u{202e}x',
    '%',
    '_',
    '\\',
    "' or 1=1 --",
    '-1',
    '9'.repeat(40),
    '٣',
    'x'.repeat(2000),
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{}}}'), nested(300)),
  fc.constantFrom<unknown>(1, 'x', {}, []).map((item) => Array.from({ length: 500 }, () => item)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Mostly the fitting value; now and then a hostile one. */
const near = (fitting: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: fitting }, { weight: 1, arbitrary: hostile })

/** An object with these members, each with a value close to the right one. Optional members are missing now and then. */
function objectOf(members: Members, requiredKeys: readonly string[] = []): Arbitrary<unknown> {
  const nearly = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, near(value)]))
  return fc.record(nearly, { requiredKeys: [...requiredKeys] })
}

/**
 * Frames of every opcode that clients may send, close to what the Gateway expects of their `d`; also frames of unknown
 * opcodes, and some that are not frames at all. All are short enough to be read.
 */
export function arbitraryFrame(known: Nameable): ArbitraryFrame {
  const payloads = fc.oneof(
    ...Object.entries(commands(known)).map(([op, d]) => ({
      weight: ending.has(Number(op)) ? 1 : 6,
      arbitrary: payloadOf(fc.constant(Number(op)), d),
    })),
  )
  const unknown = payloadOf(fc.oneof(fc.integer({ min: -2, max: 40 }), hostile), hostile)
  const missing = fc.record({ op: fc.integer({ min: 0, max: 30 }) })
  const text = fc
    .oneof({ weight: 30, arbitrary: payloads }, { weight: 1, arbitrary: unknown }, { weight: 1, arbitrary: missing })
    .map((payload) => JSON.stringify(payload))
    .filter(({ length }) => length < frame_characters_max)
  const broken = text.chain((whole) => fc.nat(whole.length).map((at) => whole.slice(0, at)))
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  return fc.oneof({ weight: 60, arbitrary: text }, { weight: 1, arbitrary: broken }, { weight: 1, arbitrary: bytes })
}

function payloadOf(op: Arbitrary<unknown>, d: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.record({ op, d: near(d) }, { requiredKeys: ['op', 'd'] })
}

/** `d` of each opcode. */
function commands(known: Nameable): Readonly<Record<number, Arbitrary<unknown>>> {
  const [guild, channel, account] = [known.guilds, known.channels, known.accounts].map((ids) => fc.constantFrom(...ids))
  const anyId = fc.constantFrom(...known.guilds, ...known.channels, ...known.accounts, '1', String(2n ** 63n - 1n))
  const ids = (id: Arbitrary<unknown> | undefined): Arbitrary<unknown> => fc.array(near(id ?? anyId), { maxLength: 6 })
  const nonce = fc.string({ maxLength: 70 })
  const text = fc.oneof(
    fc.constantFrom('u', 'user', '', '%', '_', 'x\0'),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
  const ofMembers: Members = {
    guild_id: guild ?? anyId,
    guild_ids: ids(guild),
    query: text,
    limit: fc.integer({ min: -2, max: 120 }),
    user_ids: ids(account),
    presences: fc.boolean(),
    nonce,
  }
  return {
    [opcodes.heartbeat]: fc.oneof(fc.constant(null), fc.integer({ min: -1, max: 60 })),
    [opcodes.identify]: identify(known),
    [opcodes.presenceUpdate]: objectOf(presence(anyId), ['status']),
    [opcodes.voiceStateUpdate]: objectOf({ guild_id: anyId, channel_id: anyId, self_mute: fc.boolean() }),
    [opcodes.resume]: resume(known),
    [opcodes.requestGuildMembers]: fc.oneof(
      objectOf(ofMembers),
      objectOf({ guild_id: guild ?? anyId, query: text, limit: fc.nat(100) }, ['guild_id', 'query', 'limit']),
    ),
    [opcodes.voiceSignal]: objectOf({ guild_id: anyId, signal: hostile }),
    [opcodes.lazyRequest]: objectOf({ subscriptions: subscriptions(guild ?? anyId, ids(account), anyId) }, [
      'subscriptions',
    ]),
    [opcodes.requestGuildCounts]: objectOf({ guild_ids: ids(guild), nonce }, ['guild_ids']),
    [opcodes.requestChannelMemberCounts]: objectOf(
      { guild_id: guild ?? anyId, channel_ids: ids(channel), channel_id: channel ?? anyId, nonce },
      ['guild_id'],
    ),
    [opcodes.requestForumUnreads]: objectOf({ guild_id: anyId, channel_id: anyId }),
  }
}

function identify({ tokens, guilds }: Nameable): Arbitrary<unknown> {
  const os = fc.constantFrom('linux', '')
  const properties = objectOf(
    { os, browser: os, device: os, mobile: fc.boolean(), latitude: fc.constantFrom('1.5', '-0'), longitude: os },
    ['os', 'browser', 'device'],
  )
  return objectOf(
    {
      token: fc.constantFrom(...tokens),
      properties,
      presence: objectOf(presence(fc.constantFrom(...guilds))),
      ignored_events: fc.array(fc.constantFrom('READY', 'GUILD_CREATE', 'guild_sync', 'x'), { maxLength: 300 }),
      flags: fc.constantFrom(0, 2, 4, 6, 2 ** 31, 2 ** 53),
      initial_guild_id: fc.constantFrom(...guilds),
      shard: fc.constantFrom([0, 1], [0, 2], [1, 2], [2, 2], [0, 0], [0, 16_384], [0, 16_385], [0]),
    },
    ['token', 'properties'],
  )
}

function presence(id: Arbitrary<unknown>): Members {
  const expires_at = fc.constantFrom('2099-01-01T00:00:00Z', '2001-01-01T00:00:00Z', 4e12, '2026-13-45T00:00:00Z')
  const custom = {
    text: fc.string({ unit: 'grapheme', maxLength: 140 }),
    expires_at,
    emoji_id: id,
    emoji_name: fc.string(),
  }
  return {
    status: fc.constantFrom('online', 'idle', 'dnd', 'invisible', 'offline', '', null, true, 1),
    afk: fc.boolean(),
    mobile: fc.boolean(),
    custom_status: fc.oneof(fc.constant(null), objectOf(custom)),
  }
}

function resume({ tokens, sessions }: Nameable): Arbitrary<unknown> {
  const members = {
    token: fc.constantFrom(...tokens),
    session_id: fc.constantFrom(...sessions),
    seq: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -1, max: 40 })),
  }
  return objectOf(members, ['token', 'session_id', 'seq'])
}

function subscriptions(
  guild: Arbitrary<unknown>,
  members: Arbitrary<unknown>,
  id: Arbitrary<unknown>,
): Arbitrary<unknown> {
  const range = fc.oneof(
    fc.constantFrom([0, 99], [1, 2], [100, 199]),
    fc.array(fc.integer({ min: -1, max: 200_000 }), { maxLength: 3 }),
  )
  const entry = objectOf({
    active: fc.boolean(),
    sync: fc.boolean(),
    members,
    typing: fc.boolean(),
    member_list_channels: fc.dictionary(id.map(String), fc.array(range, { maxLength: 12 }), { maxKeys: 3 }),
  })
  const key = fc.oneof({ weight: 9, arbitrary: guild.map(String) }, { weight: 1, arbitrary: fc.string() })
  return fc.dictionary(key, near(entry), { maxKeys: 4 })
}
