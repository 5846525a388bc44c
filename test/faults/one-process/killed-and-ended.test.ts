import { afterAll, beforeAll } from 'vitest'
import { loadSite } from '../../support/load-site.ts'
import { killedAfterABan } from './after-a-ban.ts'
import { killedBetweenStepsOfAListing } from './between-steps-of-a-listing.ts'
import { killedBetweenSteps } from './between-steps.ts'
import { endedWithItsPostgresHung } from './ended-with-its-postgres-hung.ts'
import { toldToEnd } from './told-to-end.ts'
import { killedWhileErasing } from './while-erasing.ts'
import { killedWhileShredding } from './while-shredding.ts'

// One process with its embedded Postgres, for chapters that follow each other. Each counts what is its own.
const site = loadSite()
beforeAll(() => site.start())
afterAll(() => site.remove(), 30_000)

killedWhileErasing(site)
killedBetweenSteps(site)
killedAfterABan(site)
killedBetweenStepsOfAListing(site)
killedWhileShredding(site)
toldToEnd(site)
endedWithItsPostgresHung(site)
