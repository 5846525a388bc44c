import { z } from 'zod'
import { anyone } from '../callers.ts'
import { perUser } from '../bucket.ts'
import { operation, type Operation } from '../operation.ts'
import { fileOf, type KeptFile } from '../kept-file.ts'
import { builtFiles, documentNames, type Documents } from './built-files.ts'
import { apiDocument, type ApiDocument } from './document.ts'
import { introduction } from './introduction.ts'

/**
 * The operations, plus those that serve their documents. The operations for administrators have a document of their
 * own. It is as public as the code: it names what exists, not what it contains. So are the schemas of events, which are always the
 * build's. Without `built`, the documents of operations are made when the first client asks, which takes up to a second.
 */
export function withDocuments(
  operations: readonly Operation[],
  version: string,
  built?: Pick<Documents, 'members' | 'admins' | 'events'>,
): readonly Operation[] {
  const all: readonly Operation[] = [
    ...operations.filter((each) => !isForAdmins(each)),
    documentOperation(built?.members ?? fileOf(() => JSON.stringify(memberDocument(all, version)))),
    adminDocumentOperation(built?.admins ?? fileOf(() => JSON.stringify(adminDocument(all, version)))),
    eventSchemasOperation(() => built?.events ?? builtFiles()(documentNames.events)),
    ...operations.filter(isForAdmins),
  ]
  return all
}

/** The document of the operations for members and applications. */
export function memberDocument(operations: readonly Operation[], version: string): ApiDocument {
  return apiDocument(operationsFor('members', operations), { title: 'Guildhall', version, description: introduction })
}

/** The document of the operations for administrators. */
export function adminDocument(operations: readonly Operation[], version: string): ApiDocument {
  return apiDocument(operationsFor('admins', operations), {
    title: 'Guildhall administration',
    version,
    description: introduction,
  })
}

/** The operations of one of the two documents. */
export function operationsFor(readers: 'members' | 'admins', operations: readonly Operation[]): readonly Operation[] {
  return operations.filter((each) => isForAdmins(each) === (readers === 'admins'))
}

const isForAdmins = ({ callers }: Operation): boolean => callers.kind === 'admin'

const bucket = perUser('instance:info', { requests: 60, seconds: 60 })
const anyDocument = z.looseObject({ openapi: z.literal('3.1.0') })

function documentOperation(document: KeptFile): Operation {
  return operation({
    name: 'Get API document',
    description: 'The OpenAPI document of the operations for members and applications.',
    route: 'GET /v1/openapi.json',
    callers: anyone(),
    bucket,
    replies: { 200: anyDocument },
    openToAllOrigins: true,
    handle: async () => document,
  })
}

/** Its path is not below /v1/admin, where every operation needs an administrator. */
function adminDocumentOperation(document: KeptFile): Operation {
  return operation({
    name: 'Get Admin API document',
    description: 'The OpenAPI document of the operations for administrators.',
    route: 'GET /v1/openapi.admin.json',
    callers: anyone(),
    bucket,
    replies: { 200: anyDocument },
    handle: async () => document,
  })
}

function eventSchemasOperation(document: () => KeptFile): Operation {
  return operation({
    name: 'Get event schemas',
    description:
      'The JSON schemas of every stored event, in every version that a release has stored, and of the lines of `guildhall export`.',
    route: 'GET /v1/events.json',
    callers: anyone(),
    bucket,
    replies: { 200: z.looseObject({ $defs: z.record(z.string(), z.looseObject({})) }) },
    handle: async () => document(),
  })
}
