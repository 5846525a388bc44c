import type { AdminExample, ExampleStage } from './admin-example.ts'
import { reportIn, reportsOn } from './reports.ts'

const unknown = '/v1/admin/reports/1'
const resolution = { status: 'resolved' }

/** The path of a pending report. */
async function pending({ guildhall }: ExampleStage): Promise<string> {
  const [reporter, reported] = [await guildhall.register(), await guildhall.register()]
  return `/v1/admin/reports/${reportIn(await reportsOn(guildhall).reportUser(reporter, reported))}`
}

/** Reports. */
export const reportExamples: Readonly<Record<string, AdminExample>> = {
  'List reports': {
    succeeds: () => ({ path: '/v1/admin/reports' }),
    refused: () => ({ path: '/v1/admin/reports?limit=201', status: 400 }),
  },
  'Get report': {
    succeeds: async (stage) => ({ path: await pending(stage) }),
    refused: () => ({ path: unknown, status: 404 }),
  },
  'Update report': {
    succeeds: async (stage) => ({ path: await pending(stage), body: resolution }),
    refused: () => ({ path: unknown, body: resolution, status: 404 }),
  },
  'Claim report': {
    succeeds: async (stage) => ({ path: `${await pending(stage)}/claim` }),
    refused: () => ({ path: `${unknown}/claim`, status: 404 }),
  },
  'Release report': {
    succeeds: async (stage) => ({ path: `${await pending(stage)}/claim` }),
    refused: () => ({ path: `${unknown}/claim`, status: 404 }),
  },
}
