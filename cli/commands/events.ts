import { filterOf, readEach, type EventSearch } from '../../application/administration/history/search-events.ts'
import { categories, eventCatalogs, type Category } from '../../domain/aggregates.ts'
import { openQueries } from '../../projections/read-models.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { interruptible } from '../interruptible.ts'
import { besideServer } from './beside.ts'
import { instantIn } from './instant-named.ts'
import { followed, printEvent, printJsonEvent, type Print } from './printed-events.ts'

export interface EventsOptions {
  readonly type?: readonly string[]
  readonly category?: string
  readonly actor?: string
  readonly request?: string
  readonly since?: string
  readonly until?: string
  /** How many of the newest. */
  readonly last: string
  readonly json?: boolean
  /** Whether to print new ones instead, as they are written. */
  readonly follow?: boolean
}

const last_max = 1000

/** Prints the newest events that match everything which is asked, oldest first, or new ones as they are written. Nothing personal. */
export async function events(options: EventsOptions, print: Print): Promise<void> {
  const filter = filterOf(searchIn(options))
  const limit = lastIn(options.last)
  const isJson = options.json === true
  await besideServer(async (store) => {
    if (options.follow === true) {
      const after = await store.events.end()
      return interruptible((signal) => followed({ events: store.events, after, filter, isJson, signal }, print))
    }
    await refuseWithoutReadModels(store)
    const { history } = openQueries(store.database)
    const found = await history.search(filter, { order: 'newest', limit })
    for (const event of await readEach(store.events, found.toReversed())) {
      if (isJson) printJsonEvent(event, print)
      else printEvent(event, print, event.stream)
    }
    if (!isJson && found.length === 0) print('No event matches.')
  })
}

function searchIn({ type, category, actor, request, since, until }: EventsOptions): EventSearch {
  const unknown = type?.find(
    (name) => !Object.values(eventCatalogs).some((catalog) => Object.hasOwn(catalog.events, name)),
  )
  if (unknown !== undefined) throw new Error(`There is no event ${unknown}: docs/reference/streams.md lists them`)
  return {
    types: type,
    category: category === undefined ? undefined : categoryNamed(category),
    actor,
    request,
    since: instantIn(since, '--since'),
    until: instantIn(until, '--until'),
  }
}

function categoryNamed(name: string): Category {
  const category = categories.find((one) => one === name)
  if (category === undefined) throw new Error(`${name} is not a category: these are ${categories.join(', ')}`)
  return category
}

function lastIn(text: string): number {
  const last = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (last < 1 || last > last_max) throw new Error(`--last takes a number from 1 to ${last_max}`)
  return last
}
