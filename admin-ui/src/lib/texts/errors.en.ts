import codes from '../../generated/errors.en.gen';

/** Texts of the service's error codes, from its one table, and of what happens before it is reached. */
export default {
  ...codes,
  'errors.NETWORK_ERROR': 'The service cannot be reached. Check your connection.',
};
