import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { MessageNotice } from '../../application/ports/messages.ts'
import { deliver } from '../dispatches/deliver.ts'
import type { AnnouncerSettings } from '../events/announcer.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { Session } from '../sessions/session.ts'
import type { World } from '../visibility/world.ts'
import { DebouncedReactions } from './debounced-reactions.ts'
import { existingPlaces } from './existing-places.ts'
import type { MessageSource } from './follow-notices.ts'
import { findForNotices } from './find-for-notices.ts'
import { messageDispatches } from './message-dispatches.ts'
import type { NewestMessages } from '../visibility/newest-messages.ts'
import { passiveUpdates, type PassiveUpdatesSettings } from './passive-updates.ts'

export interface MessageAnnouncerSettings extends AnnouncerSettings, PassiveUpdatesSettings {
  readonly messages: Pick<MessageSource, 'findMany' | 'fileAddress' | 'reactionsOf'>
  readonly recent: Pick<RecentEvents, 'last' | 'remembers'>
  readonly now: () => Timestamp
}

/**
 * The one way in which notices of messages become dispatches. It runs between two batches of events, so that nobody's view of a
 * channel changes meanwhile. Never rejects: sessions that could not be notified are ended.
 */
export function messageAnnouncer(
  settings: MessageAnnouncerSettings,
): (notices: readonly MessageNotice[]) => Promise<void> {
  const { world, newest, log, end, now, onDispatched } = settings
  const noteForPassive = passiveUpdates(settings)
  const debounced = new DebouncedReactions({ ...settings, heard: (notice) => stillHeard(settings, notice) })
  return async (notices) => {
    for (const notice of notices) {
      noteNewest(newest, notice)
      noteForPassive(notice)
    }
    const wanted = notices.filter((notice) => concerned(world, notice))
    if (wanted.length === 0) return
    try {
      const { heard, found } = await findForNotices(settings, wanted)
      for (const notice of heard) {
        const room = notice.guildId === null ? undefined : world.room(notice.guildId)
        for (const dispatch of messageDispatches(notice, found, world, now()))
          onDispatched(deliver(debounced.through(notice, dispatch), room, undefined))
      }
    } catch (error) {
      log.error({ error, notices: wanted.length }, 'messages could not be dispatched')
      for (const session of new Set(wanted.flatMap((notice) => sessionsIn(world, notice)))) end(session)
    }
  }
}

/** If it cannot be looked up, the sessions that wait are ended, as for any other notice. */
async function stillHeard(
  settings: MessageAnnouncerSettings,
  notice: MessageNotice,
): Promise<MessageNotice | undefined> {
  try {
    return (await existingPlaces(settings, [notice])).heard(notice)
  } catch (error) {
    settings.log.error({ error }, 'reactions could not be dispatched')
    for (const session of sessionsIn(settings.world, notice)) settings.end(session)
    return undefined
  }
}

function noteNewest(newest: NewestMessages, notice: MessageNotice): void {
  const { kind, channelId } = notice
  if (kind === 'created') newest.note(channelId, notice.messageId)
  else if (kind === 'pins') newest.notePins(channelId)
  else if (kind === 'deleted') newest.forget(channelId, [notice.messageId])
  else if (kind === 'deleted_bulk') newest.forget(channelId, notice.messageIds)
}

/** Whether anybody here may need a dispatch. */
function concerned(world: World, { guildId, recipients }: MessageNotice): boolean {
  if (guildId !== null) return world.room(guildId) !== undefined
  return (recipients ?? []).some((account) => world.sessionsOf(account).length > 0)
}

function sessionsIn(world: World, { guildId, recipients }: MessageNotice): readonly Session[] {
  if (guildId === null) return (recipients ?? []).flatMap((account) => world.sessionsOf(account))
  return [...(world.room(guildId)?.links ?? [])].map(({ session }) => session)
}
