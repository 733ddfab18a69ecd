/** A service of beacons: the smallest connector, of which nothing is copied, for tests. */
import { authMethod, connector, entity, get, id, integer, list, refusalText, secret } from 'conex/kit'

const beacon = { id: id(), battery: integer('Percent.') }

export const beaconService = connector({
  kind: 'beacon',
  definitionId: '0c1f5a52-64f5-4d0e-9a35-1b8f0f1c7f42',
  title: 'Beacon Service',
  baseUrl: 'https://api.beacon.example',
  authMethods: [
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: secret('A token.') },
      authorization: { style: 'bearer', token: 'token' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'beacons', action: 'list', params: {} },
  readRefusal: (answer) =>
    answer.status < 400
      ? null
      : {
          code: answer.status === 401 ? 'reauthorization_required' : 'record_not_found',
          message: refusalText(answer),
        },
  entities: {
    beacons: entity({
      description: 'Beacons.',
      list: list({ description: 'List all beacons.', path: '/beacons', recordsAt: ['beacons'], record: beacon }),
      get: get({
        description: 'Get one beacon.',
        path: '/beacons/{beacon_id}',
        params: { beacon_id: id('The beacon.') },
        recordsAt: [],
        record: beacon,
      }),
    }),
  },
})
