import type { Act } from '../acts/act.ts'
import type { Guild } from './guild-list.tsx'

/** What can be done to a guild. Which of it the reader may do, the buttons ask. */
export function actsOnGuild({ id }: Guild): readonly Act[] {
  const path = { guild_id: id }
  return [{ id: 'triggerGuildArchive', path }]
}
