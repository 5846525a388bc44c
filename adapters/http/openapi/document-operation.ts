import { z } from 'zod'
import { anyone } from '../access.js'
import { perUser } from '../bucket.js'
import { none, operation, type Operation } from '../operation.js'
import { apiDocument, type ApiDocument } from './document.js'

/** The operations and, among them, the one that describes them all (reference identity 2.1). */
export function withDocument(operations: readonly Operation[], version: string): readonly Operation[] {
  const all: readonly Operation[] = [...operations, documentOperation(() => document)]
  const document = apiDocument(all, version)
  return all
}

function documentOperation(document: () => ApiDocument): Operation {
  return operation({
    name: 'Get API document',
    route: 'GET /v1/openapi.json',
    access: anyone(),
    bucket: perUser('instance:info', { requests: 60, seconds: 60 }),
    params: none,
    query: none,
    body: none,
    replies: { 200: z.looseObject({ openapi: z.literal('3.1.0') }) },
    openToAllOrigins: true,
    handle: async () => document(),
  })
}
