import type { GuildId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

export const folderIcons = ['folder', 'star', 'heart', 'bookmark', 'game_controller', 'shield', 'music_note'] as const
export type FolderIcon = (typeof folderIcons)[number]

/** The folder of all guilds that are in no other folder. */
export const uncategorised = -1

export interface GuildFolder {
  readonly id: number | null
  readonly name: string | null
  /** 24 bits of RGB. */
  readonly color: number | null
  /** 1: shows its icon when collapsed. */
  readonly flags: number
  readonly icon: FolderIcon
  readonly guildIds: readonly GuildId[]
}

/** One stay of the account in a guild. A return has another time of joining. */
export interface Stay {
  readonly guildId: GuildId
  readonly joinedAt: Timestamp
}

/** An account's arrangement of its guilds, and its stays at that time. */
export interface Arrangement {
  readonly folders: readonly GuildFolder[]
  readonly stays: readonly Stay[]
}

const emptyUncategorised: GuildFolder = {
  id: uncategorised,
  name: null,
  color: null,
  flags: 0,
  icon: 'folder',
  guildIds: [],
}

/** The initial arrangement: one empty folder. */
export const firstArrangement: Arrangement = { folders: [emptyUncategorised], stays: [] }

/**
 * The current folders: as arranged, without guilds left since and folders that became empty by this, and with guilds
 * joined since at the front of the uncategorised ones, unless they were listed before. Computed from stored data only,
 * so nothing must be kept up to date. `stays`: the account's current ones, latest first.
 */
export function foldersNow(arrangement: Arrangement, stays: readonly Stay[]): readonly GuildFolder[] {
  const then = new Map(arrangement.stays.map(({ guildId, joinedAt }) => [guildId, joinedAt]))
  const now = new Map(stays.map(({ guildId, joinedAt }) => [guildId, joinedAt]))
  const hasStayed = (guild: GuildId): boolean => !then.has(guild) || then.get(guild) === now.get(guild)
  const listed = new Set(arrangement.folders.flatMap(({ guildIds }) => guildIds))
  const newcomers = stays
    .map(({ guildId }) => guildId)
    .filter((guild) => (then.has(guild) ? !hasStayed(guild) : !listed.has(guild)))
  return withNewcomers(
    arrangement.folders.flatMap((folder) => withoutLeft(folder, hasStayed)),
    newcomers,
  )
}

/** The folder without guilds that were left; none if that empties a folder other than the uncategorised one. */
function withoutLeft(folder: GuildFolder, hasStayed: (guild: GuildId) => boolean): readonly GuildFolder[] {
  const guildIds = folder.guildIds.filter(hasStayed)
  if (guildIds.length === folder.guildIds.length) return [folder]
  return guildIds.length === 0 && folder.id !== uncategorised ? [] : [{ ...folder, guildIds }]
}

function withNewcomers(folders: readonly GuildFolder[], newcomers: readonly GuildId[]): readonly GuildFolder[] {
  if (newcomers.length === 0) return folders
  const index = folders.findIndex(({ id }) => id === uncategorised)
  const found = folders[index]
  if (!found) return [{ ...emptyUncategorised, guildIds: newcomers }, ...folders]
  return folders.with(index, { ...found, guildIds: [...newcomers, ...found.guildIds] })
}
