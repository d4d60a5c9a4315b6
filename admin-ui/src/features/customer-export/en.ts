export { default } from '../order-export/en';
