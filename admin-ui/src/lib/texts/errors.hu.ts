import codes from '../../generated/errors.hu.gen';

/** Texts of the service's error codes, from its one table, and of what happens before it is reached. */
export default {
  ...codes,
  'errors.NETWORK_ERROR': 'Nincs kapcsolat a szolgáltatással. Ellenőrizd az internetet.',
};
