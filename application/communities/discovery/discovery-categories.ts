import { directoryCategories } from '../../../domain/discovery-application/listing.ts'

/** The categories of the directory in ascending order. */
export function discoveryCategories() {
  return directoryCategories.map((name, id) => ({ id, name }))
}
