import { categories, type Category } from './aggregates.ts'

/** A stream is named `<category>-<id>`. */
export type StreamName = `${Category}-${string}`

/** Names the stream of one aggregate. */
export function streamName(category: Category, id: string): StreamName {
  return `${category}-${id}`
}

const categoryNamed: ReadonlyMap<string, Category> = new Map(categories.map((category) => [category, category]))

/** The category of a stream; undefined if the name is not one of ours. No category has a hyphen in its name. */
export function categoryOf(stream: string): Category | undefined {
  const end = stream.indexOf('-')
  return end < 0 ? undefined : categoryNamed.get(stream.slice(0, end))
}

/** The id in a stream's name: everything after the first hyphen. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
