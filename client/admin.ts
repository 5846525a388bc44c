import type { components, operations, paths } from '../dist/client-api/admin-api.d.ts'

/** The operations of the Admin API, as its OpenAPI document has them: by path, then by method. */
export type AdminPaths = paths

/** The same by their ids. */
export type AdminOperations = operations

/** The objects of the Admin API by their names. */
export type AdminObjects = components['schemas']
