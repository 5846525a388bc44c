import { defaultEveryone, newThreadBits, threadBits, bits } from './rules.ts'
import type { Layout } from './world.ts'

/** A few guild creation templates. */
export interface Template {
  /** Everyone's permissions; undefined for a template without the everyone role. */
  readonly everyone: bigint | undefined
  /** Permissions of the other roles. */
  readonly roles: readonly bigint[]
  /** Types of the channels, in their order. */
  readonly channels: readonly number[]
  /** Whether every channel belongs to the first category. */
  readonly nested: boolean
  readonly verification: number | undefined
  readonly fault?: 'twice the same role' | 'twice the same channel' | 'no mask' | undefined
}

const channelName = (index: number) => `place-${index}`
const roleName = (index: number) => `Role ${index}`

export function templateBody({ everyone, roles, channels, nested, verification, fault }: Template): object {
  const category = channels.indexOf(4)
  return {
    name: 'Template',
    ...(verification === undefined ? {} : { verification_level: verification }),
    roles: [
      ...(everyone === undefined ? [] : [{ id: 0, name: '@everyone', permissions: everyone.toString() }]),
      ...roles.map((mask, index) => ({ id: index + 1, name: roleName(index), permissions: mask.toString() })),
      ...(fault === 'twice the same role' ? [1, '1'].map((id) => ({ id, name: 'Twin' })) : []),
      ...(fault === 'no mask' ? [{ id: 99, name: 'Broken', permissions: 'many' }] : []),
    ],
    channels: [
      ...channels.map((type, index) => ({
        id: index + 1,
        type,
        name: channelName(index),
        position: index,
        ...(nested && category !== -1 && index !== category ? { parent_id: String(category + 1) } : {}),
      })),
      ...(fault === 'twice the same channel'
        ? [98, '98'].map((id) => ({ id, type: 0, name: 'twin', position: 9 }))
        : []),
    ],
  }
}

const made: Readonly<Record<number, number>> = { 0: 0, 2: 2, 4: 4, 5: 5, 13: 2 }

/** The initial roles and channels of a guild. */
export function layoutOf(template: Template | null): Layout {
  if (!template) return standard
  const { everyone = 0n, nested } = template
  const category = template.channels.indexOf(4)
  const channels = template.channels.flatMap((type, index) => {
    const kind = made[type]
    const isChild = nested && category !== -1 && kind !== 4
    return kind === undefined
      ? []
      : [{ name: channelName(index), type: kind, parent: isChild ? channelName(category) : null }]
  })
  const writable = channels.find(({ type }) => type === 0 || type === 5)
  const general = { name: 'general', type: 0, parent: null }
  return {
    everyone: everyoneMask(everyone),
    roles: template.roles.map((permissions, index) => ({ name: roleName(index), permissions })),
    channels: writable ? channels : [...channels, general],
    system: writable?.name ?? 'general',
  }
}

/** A mask of 0 gets the default set; one with SEND_MESSAGES and no thread bits gets three of them. */
function everyoneMask(asked: bigint): bigint {
  const mask = asked === 0n ? defaultEveryone : asked
  return mask & bits.SEND_MESSAGES && !(mask & threadBits) ? mask | newThreadBits : mask
}

const standard: Layout = {
  everyone: defaultEveryone | newThreadBits,
  roles: [],
  channels: [
    { name: 'Text Channels', type: 4, parent: null },
    { name: 'Voice Channels', type: 4, parent: null },
    { name: 'general', type: 0, parent: 'Text Channels' },
    { name: 'General', type: 2, parent: 'Voice Channels' },
  ],
  system: 'general',
}
