import { accountId, guildId } from '../../../domain/ids/ids.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import type { ArchiveSubject, ArchiveSubjectType } from '../../ports/archives.ts'

/** The kinds of things that an archive can be of, as clients name them. */
export const archiveSubjectTypes = ['user', 'guild'] as const satisfies readonly ArchiveSubjectType[]

/** The subject of a type that an id names. */
export function archiveSubject(type: ArchiveSubjectType, id: Snowflake): ArchiveSubject {
  return type === 'user' ? { type, id: accountId(id) } : { type, id: guildId(id) }
}
