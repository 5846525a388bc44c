import { setImmediate as nextTurn } from 'node:timers/promises'
import { atMost, inBatches } from '../../../application/concurrency/batches.ts'
import { working } from '../../../application/observation/at-work.ts'
import type { Queries } from '../../../application/ports/database.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import type { OffsetPage } from '../../../application/ports/queries/account-search-queries.ts'
import type { DirectorySearch, FoundListings } from '../../../application/ports/queries/directory-search-queries.ts'
import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { countColumn } from '../../members/member-rows.ts'
import { searchIndex } from './search-index.ts'

/** How many changed guilds are read at once. To take in so many holds the event loop for some milliseconds. */
const changes_max = 200
const waiting_max = 10_000
const answered_max = 64

interface ChangeColumns {
  /** Of the tables as they are now: a rebuild replaces them. */
  readonly tables_id: string
  /** The guilds whose applications cannot be read to their ends. */
  readonly unreadable: readonly GuildId[]
  /** Null if nothing has changed. */
  readonly changed_id: GuildId | null
  readonly position: string
  /** Null if it is not listed, as the others are then. */
  readonly name: string | null
  readonly category_type: number
  readonly primary_language: DirectoryLanguage
  readonly custom_tags: readonly string[]
  readonly description: string
  readonly member_count: number
}

interface Asked {
  readonly wanted: DirectorySearch
  readonly page: OffsetPage
  /** Gets the milliseconds of the event loop that the search took. */
  readonly onSpent: ((processor_ms: number) => void) | undefined
}

const changeRow = rowOf((row: ChangeColumns): ChangeColumns => row)
const before = '-1'

/** More searches wait than the process takes. */
class TooManySearches extends Unavailable {
  override readonly name = 'TooManySearches'
  override readonly part = 'requests'
}

/**
 * Searches the listed guilds in memory. Each search first reads what has changed in the tables since the last one, so that every
 * process answers from the read model as it is: a caller finds what it wrote. The first search reads everything. Rejects as the
 * database does, and with Unavailable while too many searches wait.
 */
export function followedIndex(database: Queries): (asked: Asked) => Promise<FoundListings> {
  let index = searchIndex()
  let position = before
  let tablesId: string | undefined
  let unreadable: ReadonlySet<GuildId> = new Set()

  /** Takes in some of the changes; whether these were all. */
  async function follow(): Promise<boolean> {
    const changes = await database.any(changesAfter(position))
    const [first] = changes
    if (!first) return true
    if (first.tables_id !== tablesId) {
      const wasEmpty = position === before
      tablesId = first.tables_id
      if (!wasEmpty) {
        index = searchIndex()
        position = before
        return false
      }
    }
    unreadable = new Set(first.unreadable)
    if (first.changed_id === null) return true
    for (const change of changes) take(change)
    position = changes.at(-1)?.position ?? position
    return changes.length < changes_max
  }

  function take(change: ChangeColumns): void {
    if (change.changed_id === null) return
    if (change.name === null) {
      index.remove(change.changed_id)
      return
    }
    index.put({
      id: change.changed_id,
      memberCount: change.member_count,
      categoryType: change.category_type,
      language: change.primary_language,
      name: change.name,
      tags: change.custom_tags,
      description: change.description,
    })
  }

  const searches = inBatches<Asked, FoundListings>({
    async run(asked) {
      while (!(await follow())) continue
      const found: FoundListings[] = []
      for (const { wanted, page, onSpent } of asked) {
        found.push(working('directory search', () => index.search(wanted, page, unreadable), onSpent))
        // Each may take tens of milliseconds where many guilds are listed: others have their turn in between.
        await nextTurn()
      }
      return found
    },
    begin: atMost(answered_max),
    refusal: ({ items }) => (items < waiting_max ? undefined : new TooManySearches('too many searches wait')),
  })
  return (asked) => searches.add(asked)
}

/**
 * One statement, so that everything is of one moment. The limits of 1 keep Postgres from reading whole tables for the few rows that
 * there are.
 */
function changesAfter(position: string) {
  return sql.type(changeRow)`
    select concat_ws(' ', to_regnamespace('discovery')::oid, to_regnamespace('guilds')::oid, to_regnamespace('members')::oid) as tables_id,
      array(select split_part(p.stream, '-', 2)::int8::text from read_models.parked p
        where p.schema = 'discovery' and p.stream like 'discovery_application-%') as unreadable,
      c.guild_id as changed_id, c.position, g.name, a.category_type, a.primary_language, a.custom_tags, a.description,
      ${countColumn}
    from (select) once
    left join (select * from discovery.search_changes where position > ${position}::int8 order by position limit ${changes_max}) c
      on true
    left join lateral (select * from discovery.applications where guild_id = c.guild_id and status = 'approved' limit 1) a on true
    left join lateral (select name from guilds.guilds where id = a.guild_id limit 1) g on true
    left join lateral (select * from members.member_counts where guild_id = c.guild_id limit 1) n on true
    order by c.position`
}
