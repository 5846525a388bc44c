import { z } from 'zod'
import { anyone } from '../callers.js'
import { perUser } from '../bucket.js'
import { none, operation, type Operation } from '../operation.js'
import { apiDocument, type ApiDocument } from './document.js'

/**
 * The operations and, among them, those that describe them all (reference identity 2.1). What administrators do stands in a
 * document of its own, which is as open as the code is: it names what there is, and nothing that is in it.
 */
export function withDocuments(operations: readonly Operation[], version: string): readonly Operation[] {
  const forAdmins = operations.filter(isForAdmins)
  let document: ApiDocument | undefined
  let adminDocument: ApiDocument | undefined
  const forAll: readonly Operation[] = [
    ...operations.filter((each) => !isForAdmins(each)),
    // Written when the first client asks: that takes a tenth of a second, which no start has to wait for.
    documentOperation(() => (document ??= apiDocument(forAll, { title: 'Guildhall', version }))),
    adminDocumentOperation(
      () => (adminDocument ??= apiDocument(forAdmins, { title: 'Guildhall administration', version })),
    ),
  ]
  return [...forAll, ...forAdmins]
}

const isForAdmins = ({ callers }: Operation): boolean => callers.kind === 'admin'

const bucket = perUser('instance:info', { requests: 60, seconds: 60 })
const anyDocument = z.looseObject({ openapi: z.literal('3.1.0') })

function documentOperation(document: () => ApiDocument): Operation {
  return operation({
    name: 'Get API document',
    route: 'GET /v1/openapi.json',
    callers: anyone(),
    bucket,
    params: none,
    query: none,
    body: none,
    replies: { 200: anyDocument },
    openToAllOrigins: true,
    handle: async () => document(),
  })
}

/** Not below /v1/admin, where every operation needs an administrator. */
function adminDocumentOperation(document: () => ApiDocument): Operation {
  return operation({
    name: 'Get Admin API document',
    route: 'GET /v1/openapi.admin.json',
    callers: anyone(),
    bucket,
    params: none,
    query: none,
    body: none,
    replies: { 200: anyDocument },
    handle: async () => document(),
  })
}
