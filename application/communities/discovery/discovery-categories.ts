import { directoryCategories } from '../../../domain/discovery-application/listing.js'

/** The categories of the directory in ascending order (reference stores 3.1). */
export function discoveryCategories() {
  return directoryCategories.map((name, id) => ({ id, name }))
}
