import type {
  DataProvider,
  GetListParams,
  GetListResult,
  GetManyParams,
  GetManyReferenceParams,
  GetOneParams,
  RaRecord,
} from 'react-admin'
import { Failure } from '../api/failure.ts'
import { operationOf, type OperationId } from '../api/operations.ts'
import { resources } from './resources.ts'
import { askedOf, type Resource } from './resource.ts'

/**
 * Reads the Admin API for React-admin. Nothing is written through it: what changes something is an act with a dry run, its own
 * refusals and an entry in the audit log, and none of that fits a form that saves a record.
 */
export const dataProvider = {
  getList: (name: string, params: GetListParams) => listed(name, params),
  getOne: async (name: string, { id }: GetOneParams) => ({ data: await readOne(name, String(id)) }),
  getMany: async (name: string, { ids }: GetManyParams) => ({ data: await readMany(name, ids.map(String)) }),
  getManyReference: (name: string, { target, id, filter, ...params }: GetManyReferenceParams): Promise<GetListResult> =>
    listed(name, { ...params, filter: { ...filter, [target]: id } }),
  create: onlyActs,
  update: onlyActs,
  updateMany: onlyActs,
  delete: onlyActs,
  deleteMany: onlyActs,
} as unknown as DataProvider

/** How many things a page of the API has at most. */
const page_max = 200

/** A page of a list. One that is longer than those of the API, as for an export, is read in several. */
async function listed(name: string, params: GetListParams): Promise<GetListResult> {
  const { list, pagedBy } = resourceOf(name)
  const { page = 1, perPage = page_max } = params.pagination ?? {}
  if (perPage <= page_max) return withinReach(await list(askedOf(name, params)), pagedBy, perPage)
  const pages = Math.ceil(perPage / page_max)
  const data: RaRecord[] = []
  let last: GetListResult = { data, total: 0 }
  for (let number = (page - 1) * pages + 1; number <= page * pages; number += 1) {
    last = await list(askedOf(name, { ...params, pagination: { page: number, perPage: page_max } }))
    data.push(...last.data)
    if (last.data.length < page_max) break
  }
  return { ...last, data }
}

/** A page of a list whose total counts the things that have a page, and `meta.all` all of them where those are more. */
function withinReach(found: GetListResult, pagedBy: OperationId | undefined, perPage: number): GetListResult {
  const offset_max = pagedBy && operationOf(pagedBy).offset_max
  if (offset_max === undefined || found.total === undefined) return found
  const reached = Math.floor(offset_max / perPage) * perPage + perPage
  return found.total <= reached ? found : { ...found, total: reached, meta: { ...found.meta, all: found.total } }
}

function resourceOf(name: string): Resource {
  const resource = resources[name]
  if (!resource) throw new Error(`The console has no list of ${name}.`)
  return resource
}

async function readOne(name: string, id: string): Promise<RaRecord> {
  const { one } = resourceOf(name)
  const found = one ? await one(id) : (await readMany(name, [id]))[0]
  if (!found) throw new Failure(404, { code: 'NOT_FOUND', message: `${name} ${id}` }, undefined)
  return found
}

async function readMany(name: string, ids: readonly string[]): Promise<RaRecord[]> {
  const { one, many } = resourceOf(name)
  if (many) return many(ids)
  const found = await Promise.all(ids.map(async (id) => one?.(id)))
  return found.filter((record): record is RaRecord => record !== null && record !== undefined)
}

function onlyActs(): Promise<never> {
  return Promise.reject(new Error('Only acts change something.'))
}
