import { z } from 'zod'
import { anyone } from '../callers.js'
import { perUser } from '../bucket.js'
import { none, operation, type Operation } from '../operation.js'
import { apiDocument, type ApiDocument } from './document.js'

/**
 * The operations, plus those that serve their documents (reference identity 2.1). The operations for administrators have a
 * document of their own. It is as public as the code: it names what exists, not what it contains.
 */
export function withDocuments(operations: readonly Operation[], version: string): readonly Operation[] {
  const forAdmins = operations.filter(isForAdmins)
  let document: ApiDocument | undefined
  let adminDocument: ApiDocument | undefined
  const forAll: readonly Operation[] = [
    ...operations.filter((each) => !isForAdmins(each)),
    // Written when the first client asks: it takes a tenth of a second, and no start has to wait for that.
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
    description: 'The OpenAPI document of the operations for members and applications.',
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

/** Its path is not below /v1/admin, where every operation needs an administrator. */
function adminDocumentOperation(document: () => ApiDocument): Operation {
  return operation({
    name: 'Get Admin API document',
    description: 'The OpenAPI document of the operations for administrators.',
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
