import { reject } from '../../../application/commands/refused.ts'
import { answering, type AnsweringParts } from './answering.ts'
import { fixedBuckets, withinBucket, type RequestLimits } from './fixed-buckets.ts'

/** Answers requests to routes that do not exist: 404 NOT_FOUND, within a bucket of the asker's address. */
export function unknownRoute(parts: AnsweringParts, limits: RequestLimits): ReturnType<typeof answering> {
  const options = { name: 'not found', line: 'reads', openedByPeople: true } as const
  return answering(
    parts,
    options,
    withinBucket(fixedBuckets.unknown, limits, async () => reject('NOT_FOUND')),
  )
}
