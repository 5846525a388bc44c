import {
  getOwnArchive,
  latestOwnArchive,
  linkOwnArchive,
  requestOwnArchive,
} from '../../../../../application/identity/archives/own-archives.ts'
import { accounts } from '../../../callers.ts'
import { perUser } from '../../../bucket.ts'
import { operation, type Operation } from '../../../operation.ts'
import { harvest, harvestLink, harvestParams, requestedHarvest } from '../../../schemas/archives.ts'
import { messageFilter } from '../../../schemas/message-filter.ts'

/** Shared by both requests: the only limit on how often they come. */
const requests = perUser('user:data:harvest', { requests: 5, seconds: 1800 })

const requestHarvestOperation = operation({
  name: 'Request data archive',
  description: "Begins an archive of the caller's data.",
  route: 'POST /v1/users/@me/harvest',
  callers: accounts(),
  bucket: requests,
  replies: { 200: requestedHarvest },
  useCase: requestOwnArchive,
  handle: ({ caller }, run) => run(caller, null),
})

const requestFilteredHarvestOperation = operation({
  name: 'Request filtered data archive',
  description: "Begins an archive of some of the caller's messages.",
  route: 'POST /v1/users/@me/harvest/filtered',
  callers: accounts(),
  bucket: requests,
  body: messageFilter,
  keepsNoText: true,
  replies: { 200: requestedHarvest },
  useCase: requestOwnArchive,
  handle: ({ caller, body }, run) => run(caller, body),
})

const latestHarvestOperation = operation({
  name: 'Get latest data archive',
  description: 'The newest archive that the caller asked for.',
  route: 'GET /v1/users/@me/harvest/latest',
  callers: accounts(),
  bucket: perUser('user:harvest:latest', { requests: 40, seconds: 10 }),
  replies: { 200: harvest.nullable() },
  useCase: latestOwnArchive,
  handle: ({ caller }, run) => run(caller),
})

const getHarvestOperation = operation({
  name: 'Get data archive',
  description: 'One archive that the caller asked for.',
  route: 'GET /v1/users/@me/harvest/:harvest_id',
  callers: accounts(),
  bucket: perUser('user:harvest:status', { requests: 40, seconds: 10 }),
  params: harvestParams,
  replies: { 200: harvest },
  refuses: ['UNKNOWN_HARVEST'],
  useCase: getOwnArchive,
  handle: ({ caller, params }, run) => run(caller, params.harvest_id),
})

const getHarvestLinkOperation = operation({
  name: 'Get data archive download link',
  description: "A link to the caller's archive.",
  route: 'GET /v1/users/@me/harvest/:harvest_id/download',
  callers: accounts(),
  bucket: perUser('user:harvest:download', { requests: 10, seconds: 60 }),
  params: harvestParams,
  replies: { 200: harvestLink },
  refuses: ['HARVEST_EXPIRED', 'HARVEST_FAILED', 'HARVEST_NOT_READY', 'UNKNOWN_HARVEST'],
  useCase: linkOwnArchive,
  handle: ({ caller, params }, run) => run(caller, params.harvest_id),
})

/** The archives of their data that holders ask for. */
export const harvestOperations: readonly Operation[] = [
  requestHarvestOperation,
  requestFilteredHarvestOperation,
  latestHarvestOperation,
  getHarvestOperation,
  getHarvestLinkOperation,
]
