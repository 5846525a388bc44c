import { perUser, type Bucket } from '../bucket.ts'
import type { Admission, LimitedRequest } from '../limits/request-limits.ts'
import type { Answer } from '../answer.ts'
import type { Work } from '../request/exchange.ts'

/**
 * The buckets of what is served to everybody and is no operation, each for one address. They count in each process, and are far above
 * what browsers, monitors and proxies of many people ask for.
 */
export const fixedBuckets = {
  health: fixed('health', 200),
  media: fixed('media', 2000),
  /** Ten files may have 200 parts. */
  relay: fixed('upload_relay', 400),
  docs: fixed('docs', 200),
  page: fixed('page_files', 400),
  console: fixed('console_files', 400),
  archive: fixed('archive_download', 60),
  metrics: fixed('metrics', 20),
  /** Routes that do not exist, and what browsers ask for before requests of other sites. */
  preflight: fixed('preflight', 1000),
  unknown: fixed('unknown_routes', 200),
} as const

function fixed(name: string, requests: number): Bucket {
  return { ...perUser(name, { requests, seconds: 10 }), beyondGlobal: true }
}

/** Checks the limits of a request before its work. */
export type RequestLimits = (request: LimitedRequest) => Promise<Admission>

/** Work that anybody may ask for, within a bucket of the asker's address. Refuses with RATE_LIMITED. */
export function withinBucket(bucket: Bucket, limits: RequestLimits, work: Work<Answer>): Work<Answer> {
  return async (exchange) => {
    const { facts, language } = exchange
    const admission = await limits({ bucket, partition: null, authenticated: undefined, ip: facts.ip, language })
    return admission.admitted ? work(exchange) : admission.answer
  }
}
