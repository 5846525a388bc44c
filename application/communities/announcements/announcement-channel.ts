import { channelTypes, type Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { reject } from '../../commands/refused.ts'

/** Demands an announcement channel: 400 ANNOUNCEMENT_CHANNEL_REQUIRED. */
export function requireAnnouncements({ type }: Pick<Channel, 'type'>): void {
  if (type !== channelTypes.announcement) reject('ANNOUNCEMENT_CHANNEL_REQUIRED')
}

/** Whether an administrator has switched off that messages of the guild are published. */
export function areDisabled({ features }: Pick<Guild, 'features'>): boolean {
  return features.includes('ANNOUNCEMENT_CHANNELS_DISABLED')
}

/** 403 FEATURE_TEMPORARILY_DISABLED where it is switched off. */
export function requireAnnouncementsEnabled(guild: Pick<Guild, 'features'>): void {
  if (areDisabled(guild)) reject('FEATURE_TEMPORARILY_DISABLED')
}
