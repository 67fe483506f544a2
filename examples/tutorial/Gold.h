// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of the tutorial, recomputed with PyTorch 1.13.1 on a CPU. They
// are read where results are compared and nowhere else.
#ifndef GRAPHC_EXAMPLES_TUTORIAL_GOLD_H
#define GRAPHC_EXAMPLES_TUTORIAL_GOLD_H

#include <cstdint>
#include <string>
#include <vector>

namespace gold {

// Logistic regression with x = 1.1, y = 1, w = 2.2, b = 0.
inline const double logisticLoss = 0.0851878821849823,
                    logisticGradW = -0.08982629328966141,
                    logisticGradB = -0.08166026324033737;

// The 50-30-20-3 network of seed 123, and its input.
inline const std::vector<double> layer0WeightRow0First3 = {
    -0.057668253779411316, 0.004684521351009607, -0.0702381283044815};
inline const std::vector<double> layer0WeightRow0Last3 = {
    0.022232430055737495, 0.12600822746753693, 0.08647815883159637};
inline const std::vector<double> layer0WeightLastRowLast3 = {
    0.03439890965819359, -0.09710142016410828, -0.05090911313891411};
inline const std::vector<double> rand1x50First3 = {
    0.29611194133758545, 0.516562283039093, 0.2516707181930542};
inline const std::vector<double> rand1x50Last3 = {
    0.5786035060882568, 0.9455063343048096, 0.8057464361190796};
inline const std::vector<double> logits = {
    -0.12617388367652893, 0.10796501487493515, -0.17920437455177307};
inline const std::vector<double> softmax = {
    0.3113159239292145, 0.39344730973243713, 0.2952367961406708};
inline const int64_t numParams = 2213, numParams50x30x20x30 = 2780,
                     numParams2x30x20x2 = 752;

// Batches of 2 from 5 samples, shuffled from seed 123.
inline const std::string loaderEpoch0 = "[3, 1][0, 2][4]",
                         loaderEpoch1 = "[0, 2][3, 1][4]",
                         loaderDropLastEpoch0 = "[3, 1][0, 2]";

// Six steps of training.
inline const std::vector<std::string> stepIndices = {
    "[2, 1]", "[3, 0]", "[3, 4]", "[1, 2]", "[0, 4]", "[1, 2]"};
inline const std::vector<double> stepLosses = {
    0.7487357258796692,  0.6450306177139282,   0.44225579500198364,
    0.12562280893325806, 0.026905544102191925, 0.0043272399343550205};
inline const std::vector<std::string> logLines = {
    "Epoch: 001/003 | Batch 000/002 | Train Loss:  0.75",
    "Epoch: 001/003 | Batch 001/002 | Train Loss:  0.65",
    "Epoch: 002/003 | Batch 000/002 | Train Loss:  0.44",
    "Epoch: 002/003 | Batch 001/002 | Train Loss:  0.13",
    "Epoch: 003/003 | Batch 000/002 | Train Loss:  0.03",
    "Epoch: 003/003 | Batch 001/002 | Train Loss:  0.00"};
inline const std::vector<double> logitsAfter = {
    2.8569254875183105,  -4.161777496337891, 2.5381932258605957,
    -3.7547860145568848, 2.0943684577941895, -3.181950807571411,
    -1.481353521347046,  1.4816230535507202, -1.7176125049591064,
    1.7342283725738525};
inline const std::vector<double> softmaxAfter = {
    0.9991057515144348,    0.0008941852138377726, 0.9981541037559509,
    0.0018458288395777345, 0.9949147701263428,    0.005085216369479895,
    0.04912677779793739,   0.9508731961250305,    0.0307140052318573,
    0.9692859649658203};
inline const double accuracyTrain = 1.0, accuracyTest = 1.0;

// log_softmax of [1000, 2, -1].
inline const std::vector<double> overflowLogSoftmax = {0.0, -998.0, -1001.0};

// [[1, 2, 3], [4, 5, 6]] times its transpose.
inline const std::vector<double> product = {14, 32, 32, 77};

} // namespace gold

#endif // GRAPHC_EXAMPLES_TUTORIAL_GOLD_H
